import HTTPTypes
public import Logging
import ResolveKitCore
public import StreamTransport

/// Any endpoint that speaks OpenAI's chat completions with streaming and tool calls, asked over HTTP/3, or HTTP/1.1 where
/// UDP does not pass.
public struct OpenAIModel: ModelAdapter {
  /// "openai:" and the model's name.
  public var name: String { "openai:\(model)" }

  private let address: ModelAddress
  private let model: String
  private let key: ModelKey?
  private let systemPrompt: String?
  private let transport: any HTTPTransport
  private let clock: TransportClock
  /// Longest answer, text and calls together, in bytes.
  private let answerLimit: Int
  private static let errorLimit = 16 << 10

  /// - Parameters:
  ///   - baseURL: what `/chat/completions` is appended to, such as `https://api.openai.com/v1`.
  ///   - model: the model's name at that endpoint.
  ///   - key: sent as bearer token; nil, or empty, for endpoints without one.
  ///   - systemPrompt: the prompt before the conversation; nil for one that suits an assistant in an app.
  ///   - answerLimit: longest answer in bytes.
  ///   - tls: whom to trust.
  ///   - proxies: the proxies that lead to the endpoint.
  ///   - originStore: what is remembered of the endpoint for the next race of HTTP/3 and HTTP/1.1.
  ///   - resumptionStore: what is remembered of its TLS sessions.
  ///
  /// Throws ``BackendError`` with `configuration` for a URL that is none, a key that cannot be sent, or plaintext with a
  /// key to another machine.
  public init(
    baseURL: String, model: String, key: String?, systemPrompt: String? = nil, answerLimit: Int = 4 << 20,
    tls: TLSOptions = TLSOptions(), proxies: ProxySettings = .environment, originStore: OriginStore = OriginStore(),
    resumptionStore: ResumptionStore = ResumptionStore(), logger: Logger = Logger(label: "model")
  ) throws {
    let origin = try ModelAddress(baseURL: baseURL).origin
    var configuration = HTTP1TransportConfiguration()
    // As many as turns may run at once: one that waits for a connection would look like a silent model.
    configuration.maximumRequests = TurnLimits().atOnce
    let http1 = HTTP1Transport(
      origin: origin, tls: tls, allowsPlaintext: true, proxies: proxies, logger: logger, configuration: configuration)
    // QUIC has no plaintext form.
    let transport: any HTTPTransport =
      origin.scheme == .http
      ? http1
      : RacingTransport(
        http3: HTTP3Transport(origin: origin, tls: tls, logger: logger, resumption: resumptionStore), http1: http1,
        memory: originStore, logger: logger)
    try self.init(
      baseURL: baseURL, model: model, key: key, systemPrompt: systemPrompt, answerLimit: answerLimit,
      transport: transport)
  }

  /// - Parameter transport: to the origin of `baseURL`.
  package init(
    baseURL: String, model: String, key: String?, systemPrompt: String? = nil, answerLimit: Int = 4 << 20,
    transport: any HTTPTransport, clock: TransportClock = .continuous
  ) throws {
    address = try ModelAddress(baseURL: baseURL)
    self.key = try key.flatMap { key throws(BackendError) in try ModelKey(key) }
    guard address.origin.scheme == .https || address.origin.isLoopback || self.key == nil else {
      throw BackendError(.configuration, "The model's key would cross the network in plaintext; use an https URL.")
    }
    self.model = model
    self.systemPrompt = systemPrompt
    self.answerLimit = answerLimit
    self.transport = transport
    self.clock = clock
  }

  /// Closes the connections to the endpoint.
  public func shutdown() async {
    await transport.close()
  }

  /// Asks the endpoint; see ``ModelAdapter/reply(to:output:)``.
  public func reply(
    to conversation: ModelConversation, output: @Sendable (ModelOutput) async throws -> Void
  ) async throws {
    var patience = ModelPatience(at: clock.now())
    let body = try await send(
      OpenAIRequest.body(for: conversation, model: model, systemPrompt: systemPrompt), patience)
    var reader = OpenAIStreamReader(answerLimit: answerLimit)
    while !reader.isDone, let chunk = try await next(body, after: reader, patience) {
      // One delta per network chunk at most: what came together is passed on together.
      let text = try read(chunk, &reader)
      patience.came(events: reader.eventCount, at: clock.now())
      if !text.isEmpty { try await output(.text(text)) }
    }
    let (calls, usage) = try reader.finish()
    if calls.isEmpty, let mark = reader.cutMark { try await output(.text(mark)) }
    if let usage { try await output(.usage(usage)) }
    if !calls.isEmpty { try await output(.toolCalls(calls)) }
  }

  private func send(_ body: [UInt8], _ patience: ModelPatience) async throws -> ResponseBody {
    var request = HTTPRequest(method: .post, scheme: nil, authority: nil, path: address.path)
    request.headerFields = [
      .contentType: "application/json", .accept: "text/event-stream", .acceptEncoding: "identity",
    ]
    if let key { request.headerFields.append(key.authorization) }
    let response = try await within(patience) { [transport, request] in
      try await transport.send(request, body: .bytes(body))
    } failing: { error in
      ModelError(.unreachable, "The model at \(address) cannot be reached. \(error)", cause: error)
    }
    guard response.head.status.code == 200 else { throw await refusal(response) }
    let type = response.head.headerFields[.contentType]
    guard type?.lowercased().hasPrefix("text/event-stream") ?? true else {
      throw ModelError(
        .malformed,
        "The model at \(address) answered with \(line(type ?? "")) in place of an event stream; does it stream?")
    }
    return response.body
  }

  /// Reads the rest of a whole answer, which may break off: it holds nothing but the answer's cost.
  private func next(
    _ body: ResponseBody, after reader: OpenAIStreamReader, _ patience: ModelPatience
  ) async throws -> [UInt8]? {
    do {
      return try await within(patience) {
        var chunks = body.makeAsyncIterator()
        return try await chunks.next()
      } failing: { error in
        ModelError(.unreachable, "The model's answer broke off. \(error)", cause: error)
      }
    } catch is ModelError where reader.isWhole {
      return nil
    }
  }

  private func within<Value: Sendable>(
    _ patience: ModelPatience, _ operation: @escaping @Sendable () async throws -> Value,
    failing: (any Error) -> ModelError
  ) async throws -> Value {
    let rest = patience.rest(at: clock.now())
    let value: Value?
    do {
      // Without time an answer that is there already would still be taken now and then.
      value = rest.time > .zero ? try await clock.withLimit(rest.time, operation) : nil
    } catch {
      try Task.checkCancellation()
      throw failing(error)
    }
    guard let value else {
      throw ModelError(.unreachable, "The model at \(address) \(rest.complaint).")
    }
    return value
  }

  private func read(_ chunk: [UInt8], _ reader: inout OpenAIStreamReader) throws(ModelError) -> String {
    do {
      return try reader.read(chunk)
    } catch {
      throw ModelError(error.code, line(error.message), cause: error.cause)
    }
  }

  // MARK: Refusals

  private func refusal(_ response: TransportResponse) async -> ModelError {
    let status = response.head.status.code
    let remedy =
      switch status {
      case 401 where key == nil: "asks for a key; set OPENAI_API_KEY. It answered"
      case 401: "does not accept the key; set OPENAI_API_KEY to one that it knows. It answered"
      default: "answered"
      }
    let text = "The model at \(address) \(remedy) \(status): \(await reason(in: response.body))"
    return ModelError([401, 402, 403, 429].contains(status) ? .refused : .unreachable, text)
  }

  /// The message of a refusal's body in one line: that of an error, or the beginning of the text.
  private func reason(in body: ResponseBody) async -> String {
    let bytes = try? await clock.withLimit(ModelPatience.silence) {
      var bytes: [UInt8] = []
      for try await chunk in body {
        bytes += chunk
        if bytes.count >= Self.errorLimit { break }
      }
      return bytes
    }
    let text = String(decoding: (bytes ?? [])?.prefix(Self.errorLimit) ?? [], as: UTF8.self)
    let error = (try? JSONValue(parsing: text))?.objectValue?["error"]
    return line(error?.objectValue?["message"]?.stringValue ?? error?.stringValue ?? text)
  }

  /// An endpoint's words in one line, without control characters and without the key.
  private func line(_ text: String) -> String {
    let words = (key?.hidden(in: text) ?? text).split {
      $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    return words.isEmpty ? "no reason given" : String(words.joined(separator: " ").prefix(500))
  }
}
