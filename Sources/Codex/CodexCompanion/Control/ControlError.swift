/// A failure of the control socket: a code to branch on, a sentence to show, a cause to look into.
package struct ControlError: Error, CustomStringConvertible, Sendable {
  package enum Code: Hashable, Sendable {
    /// A line is no command, or no reply.
    case invalid
    /// A line is longer than it may be.
    case tooLong
    /// The socket cannot be where it was asked for.
    case path
    /// No companion listens there.
    case notRunning
    /// Another companion has the socket.
    case alreadyRunning
    /// The other side belongs to another user.
    case foreignUser
    /// The other side took too long.
    case timedOut
    /// The connection broke.
    case connection
    /// The server was started before, or is shut down.
    case state
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
