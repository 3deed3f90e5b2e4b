import Foundation

/// The emulator could not do what was asked; the message is a sentence that names the remedy.
package struct EmulatorError: Error, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    /// This user may not make namespaces or TUN devices here.
    case privileges
    /// The kernel lacks something.
    case unsupported
    /// The request is invalid.
    case invalidArgument
    /// A program to start does not exist or can't be run.
    case notExecutable
    /// A file can't be read or written.
    case file
    /// The link is not in the state for this: not started, or stopped.
    case state
    /// A system call failed that should not.
    case system
  }

  package var code: Code
  package var message: String
  package var cause: (any Error)?

  package init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String {
    guard let cause else { return message }
    return "\(message) (\(cause))"
  }
}

/// A system call's failure.
package struct SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
  package var call: String
  /// The value of errno.
  package var number: CInt

  /// From an answer in which failure is the negated errno.
  init(_ call: String, answer: CInt) {
    self.call = call
    number = answer == .min ? EIO : -answer
  }

  package var description: String {
    "\(call): \(String(cString: strerror(number))) (errno \(number))"
  }
}

/// Returns the result of a system call, or throws its error.
@discardableResult
func check(_ call: String, _ answer: CInt) throws(EmulatorError) -> CInt {
  guard answer < 0 else { return answer }
  throw EmulatorError(
    .system, "The system refused \(call); see whether it is out of memory, descriptors or threads.",
    cause: SystemCallError(call, answer: answer))
}
