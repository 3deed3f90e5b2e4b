/// Derives schemas. What a struct's `Decodable` asks for is learnt by running it on values that stand for any.
final class SchemaBuilder {
  /// JSON pointer of the schema that is built.
  private let root: String
  private(set) var definitions: JSONObject = [:]
  /// Types that are being derived, with the names of their definitions once those are referred to.
  private var inProgress: [ObjectIdentifier: String?] = [:]
  /// The schemas derived so far: types that contain each other would otherwise be visited once for each path between them.
  private var known: [ObjectIdentifier: Derived<Any>] = [:]
  /// Known types that are not whole, since they contain one that was in progress; they are derived again when it is known.
  private var cut: [ObjectIdentifier] = []
  /// Generic types can contain ever larger ones of themselves.
  private static let maximumDepth = 32

  init(root: String) { self.root = root }

  func schema<Value: Decodable>(of type: Value.Type) -> JSONValue { derive(type).schema }

  /// Inside arrays and dictionaries an optional's nil is null.
  func elementSchema<Value: Decodable>(of type: Value.Type) -> JSONValue {
    derive(type).elementSchema
  }

  /// The schema of a dictionary's names, which are strings; nil where every one will do.
  func nameSchema<Key: Decodable>(of type: Key.Type) -> JSONValue? {
    if let cases = Self.rawValues(of: type) {
      return ["enum": .array(cases.map { .string($0.stringValue ?? $0.jsonText) })]
    }
    if type == Bool.self { return ["enum": ["true", "false"]] }
    if let integer = type as? any FixedWidthInteger.Type {
      // Fewer digits than the widest number of the type has: each such name is in range.
      let digits = Self.safeDigits(of: integer)
      return ["pattern": .string("^\(Self.isSigned(integer) ? "-?" : "")[0-9]{1,\(digits)}$")]
    }
    if type is any BinaryFloatingPoint.Type { return ["pattern": "^-?[0-9]{1,4}([.][0-9]{1,4})?$"] }
    let schema = schema(of: type)
    return schema == ["type": "string"] ? .none : .some(schema)
  }

  struct Derived<Value> {
    var schema: JSONValue
    var isNullable = false
    /// A value to continue with; nil where there is none.
    var sample: Value?

    var elementSchema: JSONValue { isNullable ? ["anyOf": [schema, ["type": "null"]]] : schema }
  }

  func derive<Value: Decodable>(_ type: Value.Type) -> Derived<Value> {
    if type == JSONValue.self { return Derived(schema: [:], sample: JSONValue.null as? Value) }
    if let scalar = scalar(type) { return scalar }
    if let composite = type as? any CompositeArgument.Type {
      let (schema, isNullable) = composite.schema(with: self)
      return Derived(schema: schema, isNullable: isNullable, sample: composite.empty as? Value)
    }
    if let standard = type as? any FoundationArgument.Type {
      return Derived(schema: .object(standard.schema), sample: standard.sample as? Value)
    }
    if let cases = Self.rawValues(of: type) {
      let numbers = cases.compactMap(\.numberValue)
      let kind: JSONValue =
        numbers.isEmpty ? "string" : numbers.allSatisfy { $0 == $0.rounded() } ? "integer" : "number"
      return Derived(schema: ["type": kind, "enum": .array(cases)], sample: Self.firstCase(of: type))
    }
    return record(type)
  }

  private func record<Value: Decodable>(_ type: Value.Type) -> Derived<Value> {
    let id = ObjectIdentifier(type)
    if let known = known[id] { return Derived(schema: known.schema, sample: known.sample as? Value) }
    if let known = inProgress[id] {
      let name = known ?? definitionName(for: type)
      inProgress[id] = .some(name)
      return Derived(schema: ["$ref": .string("\(root)/$defs/\(name)")])
    }
    guard inProgress.count < Self.maximumDepth else { return Derived(schema: [:]) }
    inProgress[id] = .some(nil)
    let mark = cut.count
    let recording = SchemaRecording()
    let sample = try? Value(from: SchemaRecorder(recording: recording, builder: self, codingPath: []))
    var schema = recording.schema
    if let provider = type as? any ResolveKitSchemaProviding.Type { schema = .object(provider.resolveKitSchema) }
    if let name = inProgress.removeValue(forKey: id) ?? nil {
      definitions[name] = schema
      schema = ["$ref": .string("\(root)/$defs/\(name)")]
    }
    known[id] = Derived(schema: schema, sample: sample)
    if sample == nil {
      cut.append(id)
    } else {
      for other in cut[mark...] { known[other] = nil }
      cut.removeSubrange(mark...)
    }
    return Derived(schema: schema, sample: sample)
  }

  private func definitionName(for type: any Any.Type) -> String {
    let plain = String("\(type)".unicodeScalars.map { $0.properties.isAlphabetic && $0.isASCII ? Character($0) : "_" })
    let taken = Set(definitions.keys).union(inProgress.values.compactMap(\.self))
    guard taken.contains(plain) else { return plain }
    return (2...).lazy.map { "\(plain)\($0)" }.first { !taken.contains($0) } ?? plain
  }

  // MARK: Scalars

  private func scalar<Value>(_ type: Value.Type) -> Derived<Value>? {
    if type == String.self { return Derived(schema: ["type": "string"], sample: "" as? Value) }
    if type == Bool.self { return Derived(schema: ["type": "boolean"], sample: false as? Value) }
    if let integer = type as? any FixedWidthInteger.Type {
      return Derived(schema: .object(Self.schema(ofInteger: integer)), sample: Self.zero(integer) as? Value)
    }
    if let float = type as? any BinaryFloatingPoint.Type {
      return Derived(schema: .object(Self.schema(ofFloat: float)), sample: Self.zero(float) as? Value)
    }
    return nil
  }

  /// The bounds are powers of two, or one less, and as such exact in a `Double`.
  private static func schema<Integer: FixedWidthInteger>(ofInteger type: Integer.Type) -> JSONObject {
    var schema: JSONObject = ["type": "integer", "minimum": .number(Double(Integer.min))]
    if let maximum = Double(exactly: Integer.max) {
      schema["maximum"] = .number(maximum)
    } else {
      schema["exclusiveMaximum"] = .number(Double(Integer.max))
    }
    return schema
  }

  /// All JSON numbers that can be read are in the range of `Double`.
  private static func schema<Float: BinaryFloatingPoint>(ofFloat type: Float.Type) -> JSONObject {
    let bound = Double(Float.greatestFiniteMagnitude)
    guard bound < .greatestFiniteMagnitude else { return ["type": "number"] }
    return ["type": "number", "minimum": .number(-bound), "maximum": .number(bound)]
  }

  private static func zero<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Any { Integer.zero }
  private static func zero<Float: BinaryFloatingPoint>(_ type: Float.Type) -> Any { Float.zero }
  private static func isSigned<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Bool { Integer.isSigned }
  private static func safeDigits<Integer: FixedWidthInteger>(of type: Integer.Type) -> Int {
    max(String(Integer.max).count - 1, 1)
  }

  // MARK: Enumerations

  /// The raw values of an enumeration, where it lists its cases and reads them by their raw values.
  static func rawValues<Value: Decodable>(of type: Value.Type) -> [JSONValue]? {
    guard let iterable = type as? any CaseIterable.Type, let raw = rawValues(iterable), !raw.isEmpty,
      raw.allSatisfy({ (try? Value(from: ArgumentDecoder(value: ExactJSON($0), codingPath: []))) != nil })
    else { return nil }
    return raw
  }

  private static func rawValues<Cases: CaseIterable>(_ type: Cases.Type) -> [JSONValue]? {
    var result: [JSONValue] = []
    for value in Cases.allCases {
      switch (value as? any RawRepresentable)?.rawValue {
      case let text as String: result.append(.string(text))
      case let number as any FixedWidthInteger:
        guard let exact = double(number) else { return nil }
        result.append(.number(exact))
      case let number as Double: result.append(.number(number))
      default: return nil
      }
    }
    return result
  }

  private static func double(_ number: some FixedWidthInteger) -> Double? { Double(exactly: number) }

  private static func firstCase<Value>(of type: Value.Type) -> Value? {
    func first<Cases: CaseIterable>(_ type: Cases.Type) -> Any? { Cases.allCases.first }
    return (type as? any CaseIterable.Type).flatMap { first($0) } as? Value
  }
}
