/// The payload of a QUIC DATAGRAM frame as HTTP/3 uses it: a quarter of the request stream's id, then bytes of the
/// request's own (RFC 9297 § 2.1).
package struct HTTPDatagram: Hashable, Sendable {
  package var stream: StreamID
  package var payload: [UInt8]

  package init(stream: StreamID, payload: [UInt8]) {
    self.stream = stream
    self.payload = payload
  }

  /// Nil for what ends the connection with H3_DATAGRAM_ERROR: too short for an id, or one that no stream can have.
  package init?(frame: UnsafeRawBufferPointer) {
    var reader = ByteReader(frame)
    guard let quarter = reader.varint(), quarter < 1 << 60, let payload = reader.bytes(reader.count) else { return nil }
    self.init(stream: StreamID(Int64(quarter) * 4), payload: Array(payload))
  }

  /// Never empty, so that the library (1.11) is not made to send an empty frame, on which it aborts.
  package var frame: [UInt8] { VariableLengthInteger.bytes(of: UInt64(max(0, stream.rawValue)) / 4) + payload }
}
