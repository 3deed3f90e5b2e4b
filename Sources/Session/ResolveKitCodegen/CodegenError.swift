/// The reason for which no registry was written.
struct CodegenError: Error, CustomStringConvertible {
  enum Code: Hashable {
    /// The command line says nothing that can be done.
    case usage
    /// A source can't be read.
    case input
    /// The registry can't be written.
    case output
  }

  let code: Code
  /// One sentence for a person.
  let message: String
  let cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  var description: String { cause.map { "\(message) (\($0))" } ?? message }

  /// The program's exit status.
  var status: Int32 { code == .usage ? 2 : 1 }
}
