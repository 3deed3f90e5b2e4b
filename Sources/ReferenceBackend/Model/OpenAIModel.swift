import AsyncHTTPClient
import EventStream
import Foundation
import NIOCore
import NIOHTTP1
import ResolveKitCore

/// Any endpoint that speaks OpenAI's chat completions with streaming and tool calls.
public struct OpenAIModel: ModelAdapter {
  public var name: String { "openai:\(model)" }

  private let url: String
  private let model: String
  private let key: String?
  private let client: HTTPClient
  /// Longest answer, text and calls together, in bytes.
  private let answerLimit: Int
  private static let errorLimit = 16 << 10

  /// - Parameters:
  ///   - baseURL: what `/chat/completions` is appended to, such as `https://api.openai.com/v1`.
  ///   - model: the model's name at that endpoint.
  ///   - key: sent as bearer token; nil for endpoints without one.
  ///   - answerLimit: longest answer in bytes.
  ///
  /// Throws ``BackendError`` with `configuration` for a URL that is none, or plaintext with a key to another machine.
  public init(baseURL: String, model: String, key: String?, answerLimit: Int = 4 << 20) throws {
    guard let parsed = URL(string: baseURL), let host = parsed.host(percentEncoded: false), !host.isEmpty,
      let scheme = parsed.scheme?.lowercased(), scheme == "https" || scheme == "http"
    else {
      throw BackendError(
        .configuration, "'\(baseURL)' is no http or https URL; give one such as https://api.openai.com/v1.")
    }
    let isLoopback = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    guard scheme == "https" || isLoopback || key == nil else {
      throw BackendError(.configuration, "The model's key would cross the network in plaintext; use an https URL.")
    }
    url = (baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL) + "/chat/completions"
    self.model = model
    self.key = key
    self.answerLimit = answerLimit
    var configuration = HTTPClient.Configuration()
    configuration.timeout = .init(connect: .seconds(10), read: .seconds(120))
    configuration.redirectConfiguration = .disallow
    // A person waits for the answer: a refused connection is told at once, not after ten seconds of trying.
    configuration.connectionPool.retryConnectionEstablishment = false
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  public func shutdown() async {
    try? await client.shutdown()
  }

  public func reply(
    to conversation: ModelConversation, output: @Sendable (ModelOutput) async throws -> Void
  ) async throws {
    let response = try await send(OpenAIRequest.body(for: conversation, model: model))
    var reader = OpenAIStreamReader(answerLimit: answerLimit)
    var body = response.body.makeAsyncIterator()
    while !reader.isDone, let chunk = try await Self.next(&body, after: reader) {
      // One delta per network chunk at most: what came together is passed on together.
      let text = try reader.read(Array(chunk.readableBytesView))
      if !text.isEmpty { try await output(.text(text)) }
    }
    let (calls, usage) = try reader.finish()
    if calls.isEmpty, let mark = reader.cutMark { try await output(.text(mark)) }
    if let usage { try await output(.usage(usage)) }
    if !calls.isEmpty { try await output(.toolCalls(calls)) }
  }

  private func send(_ body: [UInt8]) async throws -> HTTPClientResponse {
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    request.headers.add(name: "content-type", value: "application/json")
    request.headers.add(name: "accept", value: "text/event-stream")
    request.headers.add(name: "accept-encoding", value: "identity")
    if let key { request.headers.add(name: "authorization", value: "Bearer \(key)") }
    request.body = .bytes(ByteBuffer(bytes: body))
    let response: HTTPClientResponse
    do {
      // The deadline is for the whole exchange, so it is far; silence is ended by the read timeout.
      response = try await client.execute(request, timeout: .hours(1))
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw ModelError(.unreachable, "The model at \(url) cannot be reached: \(error).", cause: error)
    }
    guard response.status.code == 200 else {
      let isRefusal = [401, 402, 403, 429].contains(response.status.code)
      throw ModelError(
        isRefusal ? .refused : .unreachable,
        "The model at \(url) answered \(response.status.code): \(await Self.reason(in: response.body))")
    }
    let type = response.headers.first(name: "content-type")
    guard type?.lowercased().hasPrefix("text/event-stream") ?? true else {
      throw ModelError(
        .malformed, "The model at \(url) answered with \(type ?? "") in place of an event stream; does it stream?")
    }
    return response
  }

  /// What the body of a refusal says, in one line for the log: an error's message, or the beginning of the text.
  private static func reason(in body: HTTPClientResponse.Body) async -> String {
    var bytes = ByteBuffer()
    var chunks = body.makeAsyncIterator()
    while bytes.readableBytes < errorLimit, var chunk = try? await chunks.next() { bytes.writeBuffer(&chunk) }
    let text = String(buffer: bytes)
    let error = (try? JSONValue(parsing: text))?.objectValue?["error"]
    let message = error?.objectValue?["message"]?.stringValue ?? error?.stringValue ?? text
    let words = message.split {
      $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    return words.isEmpty ? "no reason given" : String(words.joined(separator: " ").prefix(500))
  }

  /// What comes after a whole answer may break off; there is nothing in it but what the answer cost.
  private static func next(
    _ body: inout HTTPClientResponse.Body.AsyncIterator, after reader: OpenAIStreamReader
  ) async throws -> ByteBuffer? {
    do {
      return try await body.next()
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      if reader.isWhole { return nil }
      throw ModelError(.unreachable, "The model's answer broke off: \(error).", cause: error)
    }
  }
}
