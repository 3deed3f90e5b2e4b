/// JSON Schemas (2020-12) of types.
public enum ResolveKitSchema {
  /// The schema of a parameter, as one of the `properties` of the arguments' schema.
  ///
  /// Enumerations with raw values list them if they are `CaseIterable`; of any other type its own `Decodable` shows
  /// which members it asks for. A type that contains itself is described under the parameter's own `$defs`.
  /// - Parameters:
  ///   - parameter: The parameter's name.
  ///   - description: What the model should know of it.
  ///   - value: The value that stands for an absent argument.
  public static func of<Value: Decodable>(
    _ type: Value.Type, parameter: String, description: String? = nil, default value: JSONValue? = nil
  ) -> JSONValue {
    let builder = SchemaBuilder(root: "#/properties/\(fragment(parameter))")
    let schema = builder.schema(of: type)
    guard case .object(var members) = schema else { return schema }
    if !builder.definitions.isEmpty { members["$defs"] = .object(builder.definitions) }
    members["description"] = description.map { .string($0) } ?? members["description"]
    members["default"] = value ?? members["default"]
    return .object(members)
  }

  /// A name as a part of a JSON pointer in a URI fragment (RFC 6901 § 6).
  static func fragment(_ name: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var result = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "~"): result += "~0"
      case UInt8(ascii: "/"): result += "~1"
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
        result.append(Character(Unicode.Scalar(byte)))
      default: result += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
      }
    }
    return result
  }
}
