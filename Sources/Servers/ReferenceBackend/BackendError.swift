/// The failure of a backend to start: a code to branch on, a sentence to show, a cause to look into.
public struct BackendError: Error, CustomStringConvertible, Sendable {
  public enum Code: Hashable, Sendable {
    /// The database cannot be opened, or another backend has it.
    case database
    /// A setting cannot be used.
    case configuration
    /// The backend was started before or is shut down.
    case state
  }

  public let code: Code
  public let message: String
  public let cause: (any Error)?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { message }
}
