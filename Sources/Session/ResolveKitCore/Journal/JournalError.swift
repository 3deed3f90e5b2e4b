/// A journal that cannot be used.
public struct JournalError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of failure, for a caller to decide on.
  public enum Code: String, Sendable {
    /// Another process, or another runtime of this one, holds it.
    case inUse
    /// The file is something else.
    case notAJournal
    /// A newer version of this package wrote it.
    case newerVersion
    /// Too little of it is readable to identify its session.
    case damaged
    /// The journal names another session than its file name does.
    case otherSession
    /// The system refused to read, write or lock it.
    case inputOutput
    /// There is no journal of that session.
    case notFound
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence that names the remedy.
  public let message: String
  /// The system's error number, where there was one.
  public let errorNumber: Int32?

  package init(_ code: Code, _ message: String, errorNumber: Int32? = nil) {
    self.code = code
    self.message = message
    self.errorNumber = errorNumber
  }

  public var description: String { message }
}
