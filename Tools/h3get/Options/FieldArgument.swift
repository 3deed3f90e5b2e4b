import ArgumentParser
import HTTPTypes
import StreamTransport

/// The argument of `-H`: a field, or a file of them.
enum FieldArgument: Sendable {
  case field(HTTPField)
  case file(String)

  /// Bytes of one field, and of a file of them; servers take less.
  private static let limit = 64 << 10

  /// Throws `ValidationError`.
  init(_ text: String) throws {
    self = text.hasPrefix("@") ? .file(String(text.dropFirst())) : .field(try Self.parse(text))
  }

  /// Reads a file's; throws `ValidationError`.
  func fields() throws -> [HTTPField] {
    switch self {
    case .field(let field): [field]
    case .file(let path):
      try String(decoding: try BodyArgument.read(file: path, limit: Self.limit), as: UTF8.self)
        .split(whereSeparator: \.isNewline).map { try Self.parse(String($0)) }
    }
  }

  /// Throws `ValidationError` with what is wrong and what to do.
  static func parse(_ text: String) throws -> HTTPField {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
      throw ValidationError("A field is a name, a colon and a value, such as 'accept: text/html'.")
    }
    guard let name = HTTPField.Name(String(text[..<colon])) else {
      throw ValidationError("A field's name is of letters, digits and hyphens, without spaces.")
    }
    let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
    guard value.utf8.count <= limit else { throw ValidationError("A field's value has \(limit) bytes at most.") }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
      throw ValidationError("A field's value has no line ends and no control characters.")
    }
    let field = HTTPField(name: name, value: String(value))
    switch name.canonicalName {
    case "host": throw ValidationError("The host is the URL's; give another URL.")
    case "content-length": throw ValidationError("The body's length is set automatically; leave this field out.")
    default:
      guard !RequestRules.isOfConnection(field) else {
        throw ValidationError("This field belongs to HTTP/1.1's connections and makes an HTTP/3 request malformed.")
      }
    }
    return field
  }
}
