/// The containers of the standard library: read element by element, with the tolerance of the place they stand at.
protocol CompositeArgument: Decodable {
  static func read(_ value: ExactJSON, with reader: ArgumentReader) throws -> Self
  /// The schema, and whether null is a value too.
  static func schema(with builder: SchemaBuilder) -> (schema: JSONValue, isNullable: Bool)
  static var empty: Self { get }
}

extension Optional: CompositeArgument where Wrapped: Decodable {
  static func read(_ value: ExactJSON, with reader: ArgumentReader) throws -> Wrapped? {
    value == .null ? nil : try reader.read(Wrapped.self, from: value)
  }

  static func schema(with builder: SchemaBuilder) -> (schema: JSONValue, isNullable: Bool) {
    (builder.schema(of: Wrapped.self), true)
  }

  static var empty: Wrapped? { nil }
}

extension Array: CompositeArgument where Element: Decodable {
  static func read(_ value: ExactJSON, with reader: ArgumentReader) throws -> [Element] {
    guard case .array(let elements) = value else { throw reader.mismatch(Self.self, value) }
    return try elements.enumerated().map { index, element in
      try reader.reader(at: ArgumentKey(index: index)).read(Element.self, from: element)
    }
  }

  static func schema(with builder: SchemaBuilder) -> (schema: JSONValue, isNullable: Bool) {
    (["type": "array", "items": builder.elementSchema(of: Element.self)], false)
  }

  static var empty: [Element] { [] }
}

extension Set: CompositeArgument where Element: Decodable {
  static func read(_ value: ExactJSON, with reader: ArgumentReader) throws -> Set<Element> {
    Set(try [Element].read(value, with: reader))
  }

  static func schema(with builder: SchemaBuilder) -> (schema: JSONValue, isNullable: Bool) {
    [Element].schema(with: builder)
  }

  static var empty: Set<Element> { [] }
}

extension Dictionary: CompositeArgument where Key: Decodable, Value: Decodable {
  static func read(_ value: ExactJSON, with reader: ArgumentReader) throws -> [Key: Value] {
    guard case .object(let members) = value else { throw reader.mismatch(Self.self, value) }
    var result: [Key: Value] = [:]
    for (name, member) in members {
      let reader = reader.reader(at: ArgumentKey(name))
      let key = try Self.key(name, with: reader)
      result[key] = try reader.read(Value.self, from: member)
    }
    return result
  }

  /// Names are strings; a key of another type is read from one.
  private static func key(_ name: String, with reader: ArgumentReader) throws -> Key {
    if let key = name as? Key { return key }
    // A case whose raw value is a number is named by its digits.
    let numbers = SchemaBuilder.rawValues(of: Key.self)?.filter { $0.stringValue == nil }
    if let number = numbers?.first(where: { $0.jsonText == name }) {
      return try reader.read(Key.self, from: ExactJSON(number))
    }
    return try ArgumentReader(path: reader.path, isLenient: true).read(Key.self, from: .string(name))
  }

  static func schema(with builder: SchemaBuilder) -> (schema: JSONValue, isNullable: Bool) {
    var schema: JSONObject = ["type": "object", "additionalProperties": builder.elementSchema(of: Value.self)]
    schema["propertyNames"] = builder.nameSchema(of: Key.self)
    return (.object(schema), false)
  }

  static var empty: [Key: Value] { [:] }
}
