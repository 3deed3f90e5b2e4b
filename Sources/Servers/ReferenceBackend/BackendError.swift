/// The failure of a backend to start: a code to branch on, a sentence to show, a cause to look into.
public struct BackendError: Error, CustomStringConvertible, Sendable {
  /// The kind of a failure.
  public enum Code: Hashable, Sendable {
    /// The database cannot be opened, or another backend has it.
    case database
    /// A setting cannot be used.
    case configuration
    /// The backend was started before or is shut down.
    case state
  }

  /// The kind of the failure.
  public let code: Code
  /// One sentence for the operator, with the remedy.
  public let message: String
  /// The error below, such as the database's; nil for none.
  public let cause: (any Error)?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { message }
}
