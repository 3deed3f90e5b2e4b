/// A git operation that failed or was refused: a code to branch on, a sentence to show, a cause to look into.
package struct GitError: Error, CustomStringConvertible, Sendable {
  package enum Code: Hashable, Sendable {
    /// git is not installed, or could not be started.
    case unavailable
    /// Too many git commands run at once.
    case busy
    /// The project's folder is in no working tree.
    case notRepository
    /// The operation is not allowed from remote.
    case refused
    /// git ended with an error; the message is what it wrote.
    case failed
    /// git took too long, or was killed.
    case timedOut
    /// git wrote more than is read.
    case tooLong
  }

  package let code: Code
  package let message: String
  package let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { message }
}
