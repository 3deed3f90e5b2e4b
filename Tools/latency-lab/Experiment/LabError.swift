/// An error of the lab: a code, a sentence that names the remedy, a cause.
struct LabError: Error, CustomStringConvertible {
  enum Code: Int32, Sendable {
    /// The experiment could not be run or its files not be written.
    case failed = 1
    case usage = 2
    /// This machine or this user cannot do it; as sysexits.h's EX_UNAVAILABLE.
    case unavailable = 69
    /// A budget was missed.
    case budgetMissed = 10
    case interrupted = 130
  }

  var code: Code
  var message: String
  var cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  var description: String {
    guard let cause else { return message }
    return "\(message) (\(cause))"
  }
}
