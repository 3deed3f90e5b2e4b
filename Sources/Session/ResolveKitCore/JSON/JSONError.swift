/// Bytes that are not the JSON that was asked for.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault, for a caller to decide on.
  public enum Code: String, Sendable {
    /// The text is not JSON (RFC 8259), or it ends too early.
    case syntax
    /// Arrays and objects are nested deeper than ``JSONValue/maximumDepth``.
    case tooDeep
    /// A number is outside the range of a `Double`.
    case numberOutOfRange
    /// The text is JSON, of another shape than the type that was asked for.
    case unexpectedShape
    /// An object has two members of one name, where it would not be clear which one counts.
    case repeatedName
  }

  /// The kind of fault.
  public let code: Code
  /// Offset of the offending byte; nil where the fault has no single place.
  public let offset: Int?
  /// A phrase for a person, without the place.
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
