/// A failure of the companion's files: a code to branch on, a sentence to show, a cause.
package struct StoreError: Error, CustomStringConvertible, Sendable {
  package enum Code: Hashable, Sendable {
    /// Another process has the file.
    case inUse
    /// The system refused to read or write.
    case inaccessible
    /// Others may read or write the file.
    case notPrivate
    /// The file is not what was written there.
    case damaged
    /// A later version of the companion wrote the file.
    case newer
    /// No more fits in.
    case full
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
