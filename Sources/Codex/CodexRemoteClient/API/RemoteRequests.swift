import HTTPTypes
import Logging
import ResolveKitCore
import StreamTransport

/// Sends requests and reads their answers: fields, limits, deadlines and errors in one place.
struct RemoteRequests: Sendable {
  let transport: any HTTPTransport
  let clock: TransportClock
  let logger: Logger

  /// The bytes of an answer from 200 to 299. Throws ``RemoteError``.
  func bytes(_ call: RemoteCall, token: String?) async throws -> [UInt8] {
    var fields = HTTPFields()
    fields[.accept] = "application/json"
    if let token { fields[.authorization] = "Bearer \(token)" }
    var body = RequestBody.none
    if let members = call.body {
      fields[.contentType] = "application/json"
      body = .bytes(JSONValue.object(members).serialized())
    }
    let request = HTTPRequest(
      method: call.method, scheme: transport.origin.scheme.rawValue, authority: transport.origin.authority,
      path: call.path, headerFields: fields)
    let answer: (head: HTTPResponse, bytes: [UInt8])?
    do {
      answer = try await transport.whole(
        request, body: body, within: call.timeout, answerLimit: call.answerLimit, clock: clock)
    } catch {
      throw RemoteError(error)
    }
    guard let (head, bytes) = answer else {
      throw RemoteError(.timedOut, "The companion did not answer within \(call.timeout).")
    }
    let status = head.status.code
    logger.debug("called", metadata: ["method": "\(call.method)", "path": "\(call.path)", "status": "\(status)"])
    guard (200...299).contains(status) else {
      throw RemoteError(
        status: status, body: bytes,
        retryAfterSeconds: RetryAfter.seconds(in: head.headerFields, now: clock.secondsSince1970))
    }
    return bytes
  }

  /// The members of an answer that is an object. Throws ``RemoteError``.
  func object(_ call: RemoteCall, token: String?) async throws -> JSONObject {
    let bytes = try await bytes(call, token: token)
    guard let members = try? JSONValue(parsing: bytes).objectValue else {
      throw RemoteError(.malformed, "The companion's answer is no JSON object; check what stands in front of it.")
    }
    return members
  }
}
