import Foundation
import ResolveKitCore

extension WorkersError {
  /// The error of a response whose status is none of success.
  init(status: Int, body: [UInt8], requestID: String?, retryAfter: Duration? = nil) {
    let said = ErrorBody(body)
    let code = Self.code(of: status)
    self.init(
      code, Self.sentence(code, status, said.message, retryAfter), status: status, serverCode: said.code,
      details: said.details, requestID: requestID, retryAfter: retryAfter)
  }

  /// An `error` event of a stream: the proxy's word for what went wrong behind it, a failed poll.
  ///
  /// The proxy has answered 200 by then; the status that it received itself stands in its sentence.
  init(errorEvent data: String, requestID: String?) {
    let said = ErrorBody(Array(data.utf8))
    let status = Self.status(in: said.message)
    let code = status.map(Self.code) ?? .unavailable
    self.init(
      code == .invalid ? .unavailable : code, Self.sentence(code, status ?? 502, said.message, nil), status: status,
      serverCode: said.code, details: said.details, requestID: requestID)
  }

  /// A response that cannot be what the contract says.
  static func unreadable(_ what: String, status: Int?, requestID: String?, cause: (any Error)? = nil) -> WorkersError {
    WorkersError(
      .unreadable, "\(what) Check the server's URL, and what stands in front of it.", status: status,
      requestID: requestID, cause: cause)
  }

  static func unreachable(_ error: any Error, requestID: String?) -> WorkersError {
    WorkersError(
      .unreachable, "The server cannot be reached: \(error)", requestID: requestID, cause: error)
  }

  static let signedOut = WorkersError(.signInNeeded, sentence(.signInNeeded, 401, "", nil))

  static func code(of status: Int) -> Code {
    switch status {
    case 401: .signInNeeded
    case 403: .forbidden
    case 404: .notFound
    case 409: .conflict
    case 410: .staleCursor
    case 400, 413, 422: .invalid
    case 429: .throttled
    case 408, 425, 500...: .unavailable
    default: .unreadable
    }
  }

  /// The number behind `HTTP ` in a proxy's sentence.
  private static func status(in message: String) -> Int? {
    guard let mark = message.range(of: "HTTP ", options: .backwards) else { return nil }
    let digits = message[mark.upperBound...].prefix { ("0"..."9").contains($0) }
    guard digits.utf8.count == 3, let status = Int(digits), (400...599).contains(status) else { return nil }
    return status
  }

  private static func sentence(_ code: Code, _ status: Int, _ said: String, _ retryAfter: Duration?) -> String {
    let said = said.isEmpty ? "" : " (\(said))"
    return switch code {
    case .signInNeeded: "You are not signed in, or the sign-in has ended\(said); sign in again."
    case .forbidden: "The worker belongs to another user\(said); sign in as its owner, or ask them."
    case .notFound: "There is no such worker\(said); list the workers to see which there are."
    case .conflict:
      "The worker does not take this in its present state\(said); look at it, and create it again under its id if it "
        + "is stopped."
    case .staleCursor: "Events behind the cursor are no longer kept\(said); continue from the worker's present state."
    case .invalid: "The server refuses what was sent\(said); correct it and send it again."
    case .throttled:
      "Too many requests were sent\(said); wait \(retryAfter.map { "\($0.components.seconds) s" } ?? "a minute")."
    case .unavailable: "The server cannot do this now, status \(status)\(said); try again."
    case .unreadable: "The server answered with status \(status)\(said); check its URL."
    case .unreachable, .timedOut: "The server does not answer\(said); try again."
    }
  }
}

/// The three forms of an error's body: the runtime's, Laravel's own, and that of its validation.
private struct ErrorBody {
  var code: String?
  /// Shortened, with escapes for what cannot be seen.
  var message = ""
  var details: JSONObject = [:]

  init(_ bytes: [UInt8]) {
    guard let fields = (try? JSONValue(parsing: bytes)).flatMap({ WireObject($0) }) else { return }
    if let error = WireObject(fields["error"]) {
      code = error.word("code").map { Self.shown($0, 64) }
      message = Self.shown(error.string("message") ?? "", 300)
      // Of our own runtime, an object; the contract has a list.
      details = error.object("details")
      if details.isEmpty { details = error.members.filter { $0.key != "code" && $0.key != "message" } }
    }
    if message.isEmpty { message = Self.shown(fields.string("message") ?? "", 300) }
    guard let faults = WireObject(fields["errors"])?.members, !faults.isEmpty else { return }
    let first = faults.sorted { $0.key < $1.key }.prefix(3).map { name, list in
      "\(name): \((list.arrayValue?.first ?? list).stringValue ?? "")"
    }
    message = Self.shown(first.joined(separator: " "), 300)
  }

  private static func shown(_ text: String, _ limit: Int) -> String { String(text.prefix(limit)).visible }
}
