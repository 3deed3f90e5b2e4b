import HTTPTypes
import Logging
import ResolveKitCore
import StreamTransport

/// Sends calls and reads their answers: fields, limits, deadlines and errors in one place.
struct APIRequests: Sendable {
  /// A longer error body is cut off unread.
  private static let errorBodyLimit = 64 << 10

  let base: ResolveKitBasePath
  let transport: any HTTPTransport
  let apiKeyProvider: @Sendable () -> String?
  let timeouts: ResolveKitAPITimeouts
  let clock: TransportClock
  let logger: Logger

  func body(_ model: some Encodable) throws -> [UInt8] {
    try ResolveKitJSON.encode(model)
  }

  func answer<Answer: Decodable>(_ type: Answer.Type, to call: APICall) async throws -> Answer {
    let bytes = try await bytes(of: call)
    do {
      return try ResolveKitJSON.decode(type, from: bytes)
    } catch {
      throw ResolveKitAPIClientError.invalidResponse(
        reason: "\(call.method.rawValue) \(call.path) was answered with \(bytes.count) bytes that are \(error).")
    }
  }

  /// The body of an answer with a status from 200 to 299.
  ///
  /// A 401 makes the provider be asked once more: what it gave may have been a token that has just ended.
  func bytes(of call: APICall) async throws -> [UInt8] {
    do {
      return try await attempt(call)
    } catch let error as ResolveKitAPIClientError where error.statusCode == 401 {
      return try await attempt(call)
    }
  }

  private func attempt(_ call: APICall) async throws -> [UInt8] {
    let request = try request(for: call)
    let body: RequestBody = call.body.map { .bytes($0) } ?? .none
    let transport = transport
    let answer = try await clock.withLimit(call.timeout) {
      let response = try await transport.send(request, body: body)
      let head = response.head
      guard (200...299).contains(head.status.code) else {
        return (head, await Self.errorBody(response.body))
      }
      return (head, try await response.body.collect(upTo: call.answerLimit))
    }
    guard let (head, bytes) = answer else {
      // The next call must not wait on the same dead connection.
      await transport.retireConnection()
      throw ResolveKitAPIClientError.timedOut(after: call.timeout)
    }
    let status = head.status.code
    logger.debug("called", metadata: ["method": "\(call.method)", "path": "\(call.path)", "status": "\(status)"])
    guard (200...299).contains(status) else {
      var failure = RequestFailure(status: status, body: bytes)
      failure.retryAfterSeconds = RetryAfter.seconds(in: head.headerFields)
        .map { min($0, RequestFailure.maximumRetryAfter) }
      throw ResolveKitAPIClientError(failure)
    }
    return bytes
  }

  /// The readable part of an error's body: the status alone is worth reporting too.
  private static func errorBody(_ body: ResponseBody) async -> [UInt8] {
    var bytes: [UInt8] = []
    do {
      for try await chunk in body {
        bytes += chunk
        if bytes.count > errorBodyLimit { break }
      }
    } catch {
      // The status has arrived; a torn body takes nothing from it.
    }
    body.cancel()
    return Array(bytes.prefix(errorBodyLimit))
  }

  private func request(for call: APICall) throws -> HTTPRequest {
    guard let key = apiKeyProvider(), !key.isEmpty else { throw ResolveKitAPIClientError.missingAPIKey }
    var fields = HTTPFields()
    fields[.authorization] = "Bearer \(key)"
    fields[.accept] = "application/json"
    if let capability = call.capability { fields[.chatCapability] = capability }
    if call.body != nil { fields[.contentType] = "application/json" }
    return HTTPRequest(
      method: call.method, scheme: transport.origin.scheme.rawValue, authority: transport.origin.authority,
      path: base.target(call.path), headerFields: fields)
  }
}
