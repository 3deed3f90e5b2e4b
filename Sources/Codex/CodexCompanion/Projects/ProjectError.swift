/// The reason for which a project cannot be worked in: a code to branch on, a sentence to show, a cause to look into.
package struct ProjectError: Error, CustomStringConvertible, Sendable {
  package enum Code: Hashable, Sendable {
    /// There is no such project, or it is hidden: a device does not learn which.
    case notFound
    /// The project's folder is gone.
    case folderGone
    /// The list of hidden folders could not be read or written.
    case storage
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
