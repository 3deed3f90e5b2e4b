#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The one door between wire models and bytes.
public enum ResolveKitJSON {
  /// Decodes a wire model.
  /// - Throws: `JSONError`; the nesting limit is checked before any model sees the text.
  public static func decode<Model: Decodable>(_ type: Model.Type, from bytes: [UInt8]) throws(JSONError) -> Model {
    if type == JSONValue.self, let value = try JSONValue(parsing: bytes) as? Model { return value }
    return try decode(type, from: bytes, maximumDepth: JSONValue.maximumDepth)
  }

  /// The same for a text that wraps values of the greatest depth in layers of its own.
  static func decode<Model: Decodable>(
    _ type: Model.Type, from bytes: [UInt8], maximumDepth: Int
  ) throws(JSONError) -> Model {
    try checkDepth(bytes, maximumDepth)
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw JSONError(.unexpectedShape, "not the expected \(type): \(Self.sentence(for: error))")
    }
  }

  /// Encodes a wire model compactly, with sorted names.
  public static func encode(_ model: some Encodable) throws(JSONError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    do {
      return Array(try encoder.encode(model))
    } catch {
      throw JSONError(.unexpectedShape, "cannot be written as JSON: \(Self.sentence(for: error))")
    }
  }

  private static func checkDepth(_ bytes: [UInt8], _ maximumDepth: Int) throws(JSONError) {
    var depth = 0
    var inString = false
    var escaped = false
    for (offset, byte) in bytes.enumerated() {
      if inString {
        if escaped {
          escaped = false
        } else if byte == UInt8(ascii: "\\") {
          escaped = true
        } else if byte == UInt8(ascii: "\"") {
          inString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): inString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      if depth > maximumDepth {
        throw JSONError(.tooDeep, at: offset, "nested deeper than \(maximumDepth) levels")
      }
    }
  }

  /// Names the place only: the text itself may carry secrets.
  private static func sentence(for error: any Error) -> String {
    func place(_ path: [any CodingKey]) -> String {
      path.isEmpty ? "the value" : path.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      return "\(place(context.codingPath + [key])) is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      return "\(place(context.codingPath)) has another type"
    case DecodingError.dataCorrupted(let context):
      return "\(place(context.codingPath)) is malformed"
    case EncodingError.invalidValue(_, let context):
      return "\(place(context.codingPath)) has no JSON form"
    default:
      return "\(type(of: error))"
    }
  }
}
