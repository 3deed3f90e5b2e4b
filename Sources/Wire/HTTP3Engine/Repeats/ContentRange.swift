/// Bytes of a response's content that came, or go, beside its stream: a repeat's payload, behind the quarter stream id of
/// its HTTP Datagram.
package struct ContentRange: Hashable, Sendable {
  /// The longest prefix of a repeat: the quarter stream id and the offset.
  static let longestPrefix = 16

  /// The first byte's place in the content, which counts neither frames nor fields.
  package let offset: UInt64
  /// The bytes, at least one.
  package let bytes: [UInt8]

  /// The place behind the last byte.
  package var end: UInt64 { offset + UInt64(bytes.count) }

  /// Reads a datagram's payload; nil for one that holds no offset or no byte behind it, or bytes beyond the longest content
  /// that there can be.
  package init?(payload: [UInt8]) {
    let read = payload.withUnsafeBytes { buffer -> (offset: UInt64, count: Int)? in
      var reader = ByteReader(buffer)
      guard let offset = reader.varint(), !reader.isEmpty else { return nil }
      return (offset, reader.count)
    }
    guard let read, VariableLengthInteger.largest - read.offset >= UInt64(read.count) else { return nil }
    self.init(offset: read.offset, bytes: Array(payload.suffix(read.count)))
  }

  /// - Parameter bytes: not empty, and within the longest content that there can be.
  package init(offset: UInt64, bytes: [UInt8]) {
    self.offset = offset
    self.bytes = bytes
  }

  /// The datagram's payload.
  package var payload: [UInt8] { VariableLengthInteger.bytes(of: offset) + bytes }
}
