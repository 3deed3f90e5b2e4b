/// The failure of what a service manager and a process tell each other.
package struct ServiceFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for a caller to decide on.
  package enum Code: Hashable, Sendable {
    /// A variable cannot be read.
    case variable
    /// A descriptor that was promised is not open.
    case descriptor
    /// A notice cannot be sent.
    case notice
  }

  package let code: Code
  /// One sentence for a person, with the remedy.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
