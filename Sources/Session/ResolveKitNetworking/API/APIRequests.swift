import HTTPTypes
import Logging
import ResolveKitCore
import StreamTransport

/// Sends calls and reads their answers: fields, limits, deadlines and errors in one place.
struct APIRequests: Sendable {
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
    let answer = try await transport.whole(
      request, body: body, within: call.timeout, answerLimit: call.answerLimit, clock: clock)
    guard let (head, bytes) = answer else {
      throw ResolveKitAPIClientError.timedOut(after: call.timeout)
    }
    let status = head.status.code
    logger.debug("called", metadata: ["method": "\(call.method)", "path": "\(call.path)", "status": "\(status)"])
    guard (200...299).contains(status) else {
      var failure = RequestFailure(status: status, body: bytes)
      failure.retryAfterSeconds = RetryAfter.seconds(in: head.headerFields, now: clock.secondsSince1970)
        .map { min($0, RequestFailure.maximumRetryAfter) }
      throw ResolveKitAPIClientError(failure)
    }
    return bytes
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
