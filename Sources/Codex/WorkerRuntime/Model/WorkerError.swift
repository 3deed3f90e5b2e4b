/// Why something cannot be had of a worker, with the contract's code.
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

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }

  static let unknownWorker = WorkerError(.notFound, "worker not found")
  static let foreignWorker = WorkerError(.forbidden, "worker does not belong to principal")
  static let staleCursor = WorkerError(.staleCursor, "cursor is older than retention floor")
}
