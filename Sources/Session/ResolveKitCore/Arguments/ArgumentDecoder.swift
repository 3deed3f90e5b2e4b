/// Lets a type's own `Decodable` read an argument. Types must match, as with `JSONDecoder`.
struct ArgumentDecoder: Decoder {
  let value: ExactJSON
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch("an object", [String: JSONValue].self) }
    return KeyedDecodingContainer(ArgumentMembers(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch("an array", [JSONValue].self) }
    return ArgumentElements(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    ArgumentScalar(value: value, codingPath: codingPath)
  }

  private func mismatch(_ expected: String, _ type: any Any.Type) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(codingPath: codingPath, debugDescription: "expected \(expected), got \(value.summary)."))
  }
}

/// A value by itself.
struct ArgumentScalar: SingleValueDecodingContainer {
  let value: ExactJSON
  let codingPath: [any CodingKey]

  func decodeNil() -> Bool { value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try ArgumentReader(path: codingPath, isLenient: false).read(type, from: value)
  }
}

/// The members of an object.
struct ArgumentMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: ExactJSON]
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    try member(key, "a value") == .null
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    guard let member = members[key.stringValue] else {
      throw missing(key, ArgumentExpectation.text(of: type))
    }
    return try ArgumentReader(path: codingPath + [key], isLenient: false).read(type, from: member)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key, "an object").container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key, "an array").unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    ArgumentDecoder(value: members["super"] ?? .null, codingPath: codingPath + [ArgumentKey("super")])
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key, "a value") }

  private func decoder(_ key: Key, _ expected: String) throws -> ArgumentDecoder {
    ArgumentDecoder(value: try member(key, expected), codingPath: codingPath + [key])
  }

  private func member(_ key: Key, _ expected: String) throws -> ExactJSON {
    guard let member = members[key.stringValue] else { throw missing(key, expected) }
    return member
  }

  private func missing(_ key: Key, _ expected: String) -> DecodingError {
    .keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: "expected \(expected)."))
  }
}

/// The elements of an array, one after the other.
struct ArgumentElements: UnkeyedDecodingContainer {
  let elements: [ExactJSON]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(elements: [ExactJSON], codingPath: [any CodingKey]) {
    self.elements = elements
    self.codingPath = codingPath
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  /// Passes over the element only if it is null.
  mutating func decodeNil() throws -> Bool {
    guard try current() == .null else { return false }
    currentIndex += 1
    return true
  }

  /// An element that can't be read stays the next one.
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let result = try ArgumentReader(path: path, isLenient: false).read(type, from: current())
    currentIndex += 1
    return result
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try superDecoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try superDecoder().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder {
    let decoder = ArgumentDecoder(value: try current(), codingPath: path)
    currentIndex += 1
    return decoder
  }

  private var path: [any CodingKey] { codingPath + [ArgumentKey(index: currentIndex)] }

  private func current() throws -> ExactJSON {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self,
        DecodingError.Context(codingPath: path, debugDescription: "expected more than \(elements.count) elements."))
    }
    return elements[currentIndex]
  }
}
