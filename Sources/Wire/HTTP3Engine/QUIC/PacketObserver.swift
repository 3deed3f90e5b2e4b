import CQUIC

/// Hands the packets that library calls seal and open to a connection's trace, and what peers end to its raw streams.
///
/// Nothing of it reaches the libraries, and where neither wants to know, nobody observes the packets.
final class PacketObserver {
  let trace: QlogTrace?
  private let raw: RawStreams?

  /// Nil where nobody wants to know.
  init?(trace: QlogTrace?, raw: RawStreams?) {
    guard trace != nil || raw != nil else { return nil }
    self.trace = trace
    self.raw = raw
  }

  /// Runs a library call that may seal or open packets.
  func observing<Result>(_ body: () -> Result) -> Result {
    CQUIC_observe_packets(observePacket, Unmanaged.passUnretained(self).toOpaque())
    defer { CQUIC_observe_packets(nil, nil) }
    return body()
  }

  fileprivate func observe(
    _ event: CQUIC_packet_event, _ header: UnsafeRawBufferPointer, _ payload: UnsafeRawBufferPointer, length: Int,
    overhead: Int
  ) {
    if event == CQUIC_PACKET_OPENED { raw?.didOpen(payload) }
    guard let trace else { return }
    switch event {
    case CQUIC_PACKET_SEALED: trace.packetSent(header, payload: payload, overhead: overhead)
    case CQUIC_PACKET_OPENED: trace.packetReceived(header, payload: payload, overhead: overhead)
    default: trace.packetNotOpened(header, payloadLength: length, overhead: overhead)
    }
  }
}

/// Finds the observer of the connection that the calling thread works for.
private func observePacket(
  _ context: UnsafeMutableRawPointer?, _ event: CQUIC_packet_event, _ header: UnsafePointer<UInt8>?,
  _ headerLength: Int, _ payload: UnsafePointer<UInt8>?, _ payloadLength: Int, _ overhead: Int
) {
  guard let context else { return }
  Unmanaged<PacketObserver>.fromOpaque(context).takeUnretainedValue().observe(
    event, UnsafeRawBufferPointer(start: header, count: headerLength),
    UnsafeRawBufferPointer(start: payload, count: payload == nil ? 0 : payloadLength), length: payloadLength,
    overhead: overhead)
}
