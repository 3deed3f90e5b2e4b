/// A decoder that has no value: it notes what it is asked for, and answers with samples.
struct SchemaRecorder: Decoder {
  let recording: SchemaRecording
  let builder: SchemaBuilder
  let codingPath: [any CodingKey]

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    recording.becomeObject()
    return KeyedDecodingContainer(RecordedMembers(recording: recording, builder: builder, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    recording.becomeArray()
    return RecordedElements(recording: recording, builder: builder, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    RecordedScalar(recording: recording, builder: builder, codingPath: codingPath)
  }

  static func noSample(_ type: any Any.Type, _ codingPath: [any CodingKey]) -> DecodingError {
    .valueNotFound(type, DecodingError.Context(codingPath: codingPath, debugDescription: "there is no sample of it."))
  }
}

struct RecordedScalar: SingleValueDecodingContainer {
  let recording: SchemaRecording
  let builder: SchemaBuilder
  let codingPath: [any CodingKey]

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let derived = builder.derive(type)
    recording.becomeValue(derived.schema)
    guard let sample = derived.sample else { throw SchemaRecorder.noSample(type, codingPath) }
    return sample
  }
}

struct RecordedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let recording: SchemaRecording
  let builder: SchemaBuilder
  let codingPath: [any CodingKey]

  var allKeys: [Key] { [] }

  /// A caller that asks does without the member. The standard `decodeIfPresent` of strings, booleans and numbers asks
  /// so.
  func contains(_ key: Key) -> Bool {
    recording.addOptionalName(key.stringValue)
    return true
  }

  func decodeNil(forKey key: Key) throws -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    let derived = builder.derive(type)
    recording.addMember(key.stringValue) { derived.elementSchema }
    guard let sample = derived.sample else { throw SchemaRecorder.noSample(type, codingPath + [key]) }
    return sample
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    let schema = builder.schema(of: type)
    recording.addOptionalName(key.stringValue)
    recording.addMember(key.stringValue) { schema }
    return nil
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { nested(ArgumentKey("super")) }

  func superDecoder(forKey key: Key) throws -> any Decoder { nested(key) }

  private func nested(_ key: any CodingKey) -> SchemaRecorder {
    let inner = SchemaRecording()
    recording.addMember(key.stringValue) { inner.schema }
    return SchemaRecorder(recording: inner, builder: builder, codingPath: codingPath + [key])
  }
}

struct RecordedElements: UnkeyedDecodingContainer {
  let recording: SchemaRecording
  let builder: SchemaBuilder
  let codingPath: [any CodingKey]

  /// One element is enough to know them all.
  var isAtEnd: Bool {
    recording.asksForEnd = true
    return recording.elementCount > 0
  }

  var count: Int? {
    recording.asksForEnd = true
    return nil
  }

  var currentIndex: Int { recording.elementCount }

  mutating func decodeNil() throws -> Bool { false }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let derived = builder.derive(type)
    recording.addElement { derived.elementSchema }
    guard let sample = derived.sample else { throw SchemaRecorder.noSample(type, codingPath) }
    return sample
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
    let inner = SchemaRecording()
    recording.addElement { inner.schema }
    return SchemaRecorder(recording: inner, builder: builder, codingPath: codingPath)
  }
}
