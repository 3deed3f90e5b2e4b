/// The bytes of a journal: a header, then one frame a record. Numbers are little-endian.
///
/// A frame: marker (4 bytes), payload's length (4), sequence (8), wall clock (8), session time (8), CRC-32C of all that
/// and the payload, marker left out (4), payload. The payload: for each entry its kind (1), its length (4), its bytes.
package enum JournalFormat {
  /// The name, the version, and a line end.
  package static let header: [UInt8] = Array("rk-journal 0001\n".utf8)
  /// Not valid UTF-8, so no text of an entry holds it.
  static let marker: [UInt8] = [0xFF, 0xFE, 0x52, 0x4B]
  static let frameHeaderSize = 36
  /// Bytes of one payload: a compacted session takes less.
  static let maximumPayload = 64 << 20
  /// Nesting of an entry: in a session's image a result is eight levels deep, and may itself be of the greatest depth.
  /// Whatever is written must be readable, or the session is lost.
  static let maximumDepth = JSONValue.maximumDepth + 16
  /// No journal counts so far; room above it lets its reader add without overflow.
  static let maximumSequence: UInt64 = 1 << 62

  private enum Kind: UInt8 {
    case json
    case applied
    case text
  }

  /// Throws where a value has no JSON form, or the record is too large.
  package static func encode(_ record: JournalRecord) throws(JSONError) -> [UInt8] {
    var payload: [UInt8] = []
    for entry in record.entries { try append(entry, to: &payload) }
    // No reader would take it.
    guard payload.count <= maximumPayload else {
      throw JSONError(.unexpectedShape, "a record of \(payload.count) bytes, of at most \(maximumPayload)")
    }
    var counted: [UInt8] = []
    counted.reserveCapacity(frameHeaderSize + payload.count)
    append(UInt32(truncatingIfNeeded: payload.count), to: &counted)
    append(record.sequence, to: &counted)
    append(record.wallMilliseconds, to: &counted)
    append(record.time, to: &counted)
    var crc = CRC32C()
    crc.add(counted[...])
    crc.add(payload[...])
    var frame = marker
    frame.reserveCapacity(frameHeaderSize + payload.count)
    frame += counted
    append(crc.checksum, to: &frame)
    frame += payload
    return frame
  }

  private static func append(_ entry: JournalEntry, to payload: inout [UInt8]) throws(JSONError) {
    // The two that come with every event are written plainly; the others are few.
    switch entry {
    case .applied(let id): append(.applied, id.utf8, to: &payload)
    case .text(let text): append(.text, text.utf8, to: &payload)
    default: append(.json, try ResolveKitJSON.encode(entry), to: &payload)
    }
  }

  private static func append(_ kind: Kind, _ bytes: some Collection<UInt8>, to payload: inout [UInt8]) {
    payload.append(kind.rawValue)
    append(UInt32(truncatingIfNeeded: bytes.count), to: &payload)
    payload += bytes
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  /// Reads a frame's payload. Throws where an entry is of no kind that is known, which only a newer version writes.
  static func entries(_ payload: ArraySlice<UInt8>) throws(JSONError) -> [JournalEntry] {
    var entries: [JournalEntry] = []
    var rest = payload
    while let kind = rest.popFirst() {
      guard rest.count >= 4 else { throw JSONError(.unexpectedShape, "an entry without a length") }
      let length = Int(number(UInt32.self, in: rest, at: rest.startIndex))
      rest = rest.dropFirst(4)
      guard length <= rest.count else { throw JSONError(.unexpectedShape, "an entry longer than its record") }
      let bytes = rest.prefix(length)
      rest = rest.dropFirst(length)
      switch Kind(rawValue: kind) {
      case .applied: entries.append(.applied(eventID: String(decoding: bytes, as: UTF8.self)))
      case .text: entries.append(.text(String(decoding: bytes, as: UTF8.self)))
      case .json:
        entries.append(try ResolveKitJSON.decode(JournalEntry.self, from: Array(bytes), maximumDepth: maximumDepth))
      case nil: throw JSONError(.unexpectedShape, "an entry of kind \(kind)")
      }
    }
    return entries
  }

  static func number<Number: FixedWidthInteger & UnsignedInteger>(
    _ type: Number.Type, in bytes: ArraySlice<UInt8>, at index: Int
  ) -> Number {
    (0..<MemoryLayout<Number>.size).reversed().reduce(0) { $0 << 8 | Number(bytes[index + $1]) }
  }
}
