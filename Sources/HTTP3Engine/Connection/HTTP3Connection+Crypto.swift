import CQUIC

// What a peer's packets hold of TLS is judged twice: before the library buffers a CRYPTO frame, and before TLS reads the
// bytes, which are in order then.

extension HTTP3Connection {
  /// Runs a library call that opens packets; the packets are judged before the library reads their frames.
  func guardingPackets<Result>(_ body: () -> Result) -> Result {
    CQUIC_guard_packets(judgePacket, Unmanaged.passUnretained(self).toOpaque())
    defer { CQUIC_guard_packets(nil, nil) }
    return body()
  }

  /// The library's callback for the next bytes of a CRYPTO stream: 0 or the library's error code.
  func didReceiveCrypto(
    _ bytes: UnsafeRawBufferPointer, at level: ngtcp2_encryption_level, offset: UInt64
  ) -> Int32 {
    guard let place = HandshakeMessageOrder.Level(level) else { return NGTCP2_ERR_CALLBACK_FAILURE }
    guard let breach = cryptoGuard.breach(in: bytes, at: place, offset: offset) else {
      return ngtcp2_crypto_recv_crypto_data_cb(
        quic, level, offset, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, nil)
    }
    pendingFailure = pendingFailure ?? breach
    return NGTCP2_ERR_CALLBACK_FAILURE
  }

  fileprivate func judge(_ payload: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer) -> Int32 {
    guard let level = HandshakeMessageOrder.Level(header: header),
      let breach = cryptoGuard.breach(inPacket: payload, at: level, isHandshakeComplete: handshake != nil)
    else { return 0 }
    pendingFailure = pendingFailure ?? breach
    return NGTCP2_ERR_CALLBACK_FAILURE
  }
}

/// Lent and not counted, as for each packet.
private func judgePacket(
  _ context: UnsafeMutableRawPointer?, _ header: UnsafePointer<UInt8>?, _ headerLength: Int,
  _ payload: UnsafePointer<UInt8>?, _ payloadLength: Int
) -> Int32 {
  withConnection(behind: context) {
    $0.judge(
      UnsafeRawBufferPointer(start: payload, count: payloadLength),
      header: UnsafeRawBufferPointer(start: header, count: headerLength))
  } ?? 0
}
