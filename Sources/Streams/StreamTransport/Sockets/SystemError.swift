import Foundation

/// A system call failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  package var call: String
  /// The value of errno.
  package var number: CInt

  package init(_ call: String, number: CInt) {
    self.call = call
    self.number = number
  }

  /// From an answer in which failure is the negated errno.
  init(_ call: String, answer: CInt) {
    self.init(call, number: answer == .min ? EIO : -answer)
  }

  package var description: String {
    "\(call) failed: \(String(cString: strerror(number))) (errno \(number))"
  }
}
