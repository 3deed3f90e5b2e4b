package import ResolveKitCore

/// The refusal of a request about a worker, with the contract's code.
package struct WorkerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The contract's codes.
  package enum Code: String, Sendable {
    case unauthorized
    case forbidden
    case invalidRequest = "invalid_request"
    case notFound = "not_found"
    case conflict
    case staleCursor = "stale_cursor"
    case internalError = "internal_error"
  }

  package let code: Code
  package let message: String
  /// Further members for a program.
  package let details: JSONObject

  package init(_ code: Code, _ message: String, details: JSONObject = [:]) {
    self.code = code
    self.message = message
    self.details = details
  }

  package var description: String { message }

  static let unknownWorker = WorkerError(.notFound, "worker not found")
  static let foreignWorker = WorkerError(.forbidden, "worker does not belong to principal")

  /// - Parameter floor: the oldest cursor that is good. The contract has it where its events come over a WebSocket, under
  ///   this name; without it a client begins again at the present end.
  static func staleCursor(floor: Int64) -> WorkerError {
    WorkerError(
      .staleCursor, "cursor is older than retention floor", details: ["resume_after": JSONValue(floor)])
  }
}
