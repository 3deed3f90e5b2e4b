import HTTPTypes
import Hummingbird
import JSONService
import ResolveKitCore

/// An error response with the contract's body: `{"detail": …}`.
struct APIError: HTTPResponseError {
  let status: HTTPResponse.Status
  var headers: HTTPFields = [:]
  let detail: JSONValue

  static let missingAuthorization = APIError(status: .unauthorized, detail: "Missing Authorization token")
  /// The contract's words for a wrong API key too.
  static let invalidToken = APIError(status: .unauthorized, detail: "Invalid client token")
  static let invalidKey = APIError(status: .unauthorized, detail: "Invalid API key")
  static let originNotAllowed = APIError(status: .forbidden, detail: "Origin not allowed")
  static let tooManyTokens = APIError(
    status: .tooManyRequests, headers: [.retryAfter: "60"], detail: "Client token rate limit exceeded")
  static let feedbackGiven = APIError(status: .conflict, detail: "Feedback already submitted for this session")
  static let chatUnavailable = APIError(
    status: .forbidden,
    detail: ["code": "chat_unavailable", "message": "Chat is unavailable, try again later"])
  static let notFound = APIError(status: .notFound, detail: "Not Found")
  static let sessionNotFound = APIError(status: .notFound, detail: "Session not found")
  static let turnNotFound = APIError(status: .notFound, detail: "Turn not found")
  static let noPendingCall = APIError(status: .notFound, detail: "No pending tool call with this ID")
  static let turnInProgress = APIError(status: .conflict, detail: "A turn is already in progress")
  static let sessionExpired = APIError(status: .gone, detail: "Session expired")
  static let tooManyStreams = APIError(
    status: .tooManyRequests, detail: "Too many event streams are open for this session")

  static let tooManyTurns = APIError(
    status: .serviceUnavailable, headers: [.retryAfter: "5"],
    detail: "The server answers as many messages as it may at the moment; try again later")
  /// Client and server are well, the disk is not.
  static let cannotStore = APIError(
    status: .serviceUnavailable, headers: [.retryAfter: "5"],
    detail: "The server cannot store anything at the moment; try again later")

  static func methodNotAllowed(_ allowed: [HTTPRequest.Method]) -> APIError {
    APIError(
      status: .methodNotAllowed, headers: [.allow: allowed.map(\.rawValue).joined(separator: ", ")],
      detail: "Method Not Allowed")
  }

  static func bodyTooLarge(limit: Int) -> APIError {
    APIError(status: .contentTooLarge, detail: .string("The request body is larger than \(limit) bytes"))
  }

  /// The cursor's events are gone; an extension of the contract, whose server would continue with a silent gap.
  static func cursorExpired(floor: EventID) -> APIError {
    APIError(
      status: .gone,
      detail: [
        "code": "cursor_expired",
        "message": .string(
          "Events up to \(floor.text) are no longer kept. Read the history and resume without a cursor."),
        "floor": .string(floor.text),
      ])
  }

  /// The cursor was never given by this log.
  static func cursorUnknown(last: EventID) -> APIError {
    APIError(
      status: .gone,
      detail: [
        "code": "cursor_unknown",
        "message": .string(
          "This log ends at \(last.text): the cursor is of another one. Read the history and resume without a cursor."),
        "last": .string(last.text),
      ])
  }

  /// The cursor was given by this log before it was restored from an older backup.
  static let cursorReplaced = APIError(
    status: .gone,
    detail: [
      "code": "cursor_unknown",
      "message": .string(
        "The server was restored from a backup that is older than the cursor: its event is gone, and another may have its "
          + "number. Read the history and resume without a cursor."),
    ])

  func response(from request: Request, context: some RequestContext) throws -> Response {
    .json(["detail": detail], status: status, headers: headers)
  }
}
