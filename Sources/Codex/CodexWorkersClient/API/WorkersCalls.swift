import HTTPTypes
import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// Sends calls and reads their answers: fields, limits, deadlines, errors and log lines in one place.
struct WorkersCalls: Sendable {
  let base: ResolveKitBasePath
  let transport: any HTTPTransport
  let token: @Sendable () async -> String?
  let clock: TransportClock
  let logger: Logger

  /// The answer's object. Throws ``WorkersError``, or `CancellationError`.
  func answer(to call: WorkersCall) async throws -> WireObject {
    guard let token = await token(), !token.isEmpty else { throw WorkersError.signedOut }
    var fields = HTTPFields()
    fields[.authorization] = "Bearer \(token)"
    let (_, object) = try await exchange(call, fields)
    return object
  }

  /// The answer's `data` member.
  func data(of call: WorkersCall) async throws -> JSONValue {
    let object = try await answer(to: call)
    guard let data = object["data"] else { throw unreadable(call, "the answer has no data") }
    return data
  }

  /// The answer's `data` member as the contract's model.
  func model<Model>(of call: WorkersCall, _ make: (WireObject) -> Model?) async throws -> Model {
    guard let fields = WireObject(try await data(of: call)), let model = make(fields) else {
      throw unreadable(call, "the answer's data is not what the contract says")
    }
    return model
  }

  func unreadable(_ call: WorkersCall, _ what: String) -> WorkersError {
    .unreadable("\(call.method.rawValue) \(call.path): \(what).", status: 200, requestID: call.requestID)
  }

  /// Sends a call with these fields besides its own; the response's fields and its object.
  func exchange(_ call: WorkersCall, _ more: HTTPFields) async throws -> (HTTPFields, WireObject) {
    do {
      let result = try await attempt(call, more)
      logger.debug("called", metadata: Self.metadata(call))
      return result
    } catch let error as WorkersError {
      // A person's error message names the same id, and so does the server's log.
      logger.notice(
        "a call failed: \(error)",
        metadata: Self.metadata(call).merging(["status": "\(error.status.map(String.init) ?? "-")"]) { $1 })
      throw error
    }
  }

  private static func metadata(_ call: WorkersCall) -> Logger.Metadata {
    ["method": "\(call.method.rawValue)", "path": "\(call.path)", "x-request-id": "\(call.requestID)"]
  }

  private func attempt(_ call: WorkersCall, _ more: HTTPFields) async throws -> (HTTPFields, WireObject) {
    let request = request(call, more)
    let body: RequestBody = call.body.map { .bytes($0.serialized()) } ?? .none
    let answer: (head: HTTPResponse, bytes: [UInt8])?
    do {
      answer = try await transport.whole(
        request, body: body, within: call.timeout, answerLimit: call.answerLimit, clock: clock)
    } catch let error as TransportError where error.code != .cancelled {
      throw WorkersError.unreachable(error, requestID: call.requestID)
    } catch {
      try Task.checkCancellation()
      throw WorkersError.unreachable(error, requestID: call.requestID)
    }
    guard let (head, bytes) = answer else {
      throw WorkersError(
        .timedOut, "The server did not answer within \(call.timeout); try again.", requestID: call.requestID)
    }
    guard head.status.kind == .successful else { throw refusal(head, bytes, call.requestID) }
    return (head.headerFields, try Self.object(head, bytes, call))
  }

  private func request(_ call: WorkersCall, _ more: HTTPFields) -> HTTPRequest {
    var fields = more
    fields[.accept] = "application/json"
    fields[RequestID.name] = call.requestID
    if call.body != nil { fields[.contentType] = "application/json" }
    if let key = call.idempotencyKey { fields[.idempotencyKey] = key }
    return HTTPRequest(
      method: call.method, scheme: transport.origin.scheme.rawValue, authority: transport.origin.authority,
      path: base.target(call.path), headerFields: fields)
  }

  private static func object(_ head: HTTPResponse, _ bytes: [UInt8], _ call: WorkersCall) throws -> WireObject {
    let type = head.headerFields[.contentType]?.lowercased() ?? ""
    // A proxy shows a page of HTML with status 200 to clients that are not signed in.
    guard type.hasPrefix("application/json") || type.contains("+json") else {
      throw WorkersError.unreadable(
        "The answer is no JSON but '\(String(type.prefix(100)).visible)'.", status: head.status.code,
        requestID: call.requestID)
    }
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes)
    } catch {
      throw WorkersError.unreadable(
        "The answer is damaged: \(error).", status: head.status.code, requestID: call.requestID, cause: error)
    }
    guard let object = WireObject(value) else {
      throw WorkersError.unreadable("The answer is no object.", status: head.status.code, requestID: call.requestID)
    }
    return object
  }

  private func refusal(_ head: HTTPResponse, _ bytes: [UInt8], _ requestID: String) -> WorkersError {
    let seconds = RetryAfter.seconds(in: head.headerFields, now: clock.secondsSince1970).map { min($0, 86_400) }
    return WorkersError(
      status: head.status.code, body: bytes, requestID: requestID, retryAfter: seconds.map { .seconds($0) })
  }
}

extension HTTPField.Name {
  static let idempotencyKey = named("idempotency-key")
  static let prefer = named("prefer")
  static let client = named("x-client")

  private static func named(_ text: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a field name (RFC 9110 § 5.1).") }
    return name
  }
}
