/// Why bytes are not the JSON that was asked for.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: String, Sendable {
    case syntax
    case tooDeep
    case numberOutOfRange
    case unexpectedShape
    /// An object has two members of one name, where it would not be clear which one counts.
    case repeatedName
  }

  public let code: Code
  /// Offset of the offending byte; nil where the fault has no single place.
  public let offset: Int?
  public let message: String

  package init(_ code: Code, at offset: Int? = nil, _ message: String) {
    self.code = code
    self.offset = offset
    self.message = message
  }

  public var description: String {
    if let offset { "\(message) at byte \(offset)" } else { message }
  }
}
