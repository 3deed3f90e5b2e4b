/// Reads a type from JSON.
struct ArgumentReader {
  let path: [any CodingKey]
  /// Whether scalars are read as ``TypeResolver`` reads them. Inside a type's own `Decodable` they are not: an
  /// initializer may try one type after another.
  let isLenient: Bool

  func read<Value: Decodable>(_ type: Value.Type, from value: ExactJSON) throws -> Value {
    if type == JSONValue.self {
      guard value.isHeldByJSONValue, let json = value.json() as? Value else { throw inexact(type, value) }
      return json
    }
    if let reading = scalar(type, from: value) {
      guard let result = reading() else { throw mismatch(type, value) }
      return result
    }
    if let composite = type as? any CompositeArgument.Type {
      guard let result = try composite.read(value, with: self) as? Value else { throw mismatch(type, value) }
      return result
    }
    if let standard = type as? any FoundationArgument.Type {
      guard let result = standard.read(value) as? Value else { throw mismatch(type, value) }
      return result
    }
    do {
      return try Value(from: ArgumentDecoder(value: value, codingPath: path))
    } catch {
      // A case that is none says which there are.
      if SchemaBuilder.rawValues(of: type) != nil { throw mismatch(type, value) }
      throw error
    }
  }

  func reader(at key: any CodingKey) -> ArgumentReader {
    ArgumentReader(path: path + [key], isLenient: isLenient)
  }

  func mismatch<Value: Decodable>(_ type: Value.Type, _ value: ExactJSON) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: path,
        debugDescription: "expected \(ArgumentExpectation.text(of: type)), got \(value.summary)."))
  }

  /// `JSONValue` has no room for a number's digits.
  private func inexact<Value: Decodable>(_ type: Value.Type, _ value: ExactJSON) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(
        codingPath: path,
        debugDescription: """
          expected whole numbers of at most 15 digits and others of at most 17, got \(value.summary); \
          send a longer one as a string.
          """))
  }

  /// nil where the type is no scalar of the standard library.
  private func scalar<Value>(_ type: Value.Type, from value: ExactJSON) -> (() -> Value?)? {
    if type == String.self { return { string(value) as? Value } }
    if type == Bool.self { return { bool(value) as? Value } }
    if let integer = type as? any (FixedWidthInteger & Decodable).Type {
      return { self.integer(integer, value) as? Value }
    }
    if let float = type as? any (BinaryFloatingPoint & Decodable).Type {
      return { self.floatingPoint(float, value) as? Value }
    }
    return nil
  }

  private func string(_ value: ExactJSON) -> String? {
    switch value {
    case .string(let text): text
    case .number(let number): isLenient ? number.plainText : nil
    case .bool(let flag): isLenient ? (flag ? "true" : "false") : nil
    case .object, .array, .null: nil
    }
  }

  private func bool(_ value: ExactJSON) -> Bool? {
    if case .bool(let flag) = value { return flag }
    return isLenient ? TypeResolver.coerceBool(value.json()) : nil
  }

  private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, _ value: ExactJSON) -> Integer? {
    switch value {
    case .number(let number): isLenient || number.isInteger ? number.truncated(to: type) : nil
    case .string(let text): isLenient ? Integer(text) : nil
    case .bool(let flag): isLenient ? (flag ? 1 : 0) : nil
    case .object, .array, .null: nil
    }
  }

  private func floatingPoint<Float: BinaryFloatingPoint>(_ type: Float.Type, _ value: ExactJSON) -> Float? {
    let double: Double?
    switch value {
    case .number(let number): double = number.double
    case .string, .bool: double = isLenient ? TypeResolver.coerceDouble(value.json()) : nil
    case .object, .array, .null: double = nil
    }
    guard let double else { return nil }
    let float = Float(double)
    return float.isFinite ? float : nil
  }
}
