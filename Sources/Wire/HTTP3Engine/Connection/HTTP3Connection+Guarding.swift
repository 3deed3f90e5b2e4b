import CQUIC

// What a peer's packets hold is judged twice: before the library reads a packet's frames, and before TLS reads bytes, which
// are in order then.

extension HTTP3Connection {
  /// Runs a library call that opens packets; the packets are judged before the library reads their frames.
  func guardingPackets<Result>(_ body: () -> Result) -> Result {
    CQUIC_guard_packets(judgePacket, Unmanaged.passUnretained(self).toOpaque())
    defer { CQUIC_guard_packets(nil, nil) }
    return body()
  }

  /// The library's callback for the next bytes of a CRYPTO stream: 0 or the library's error code, which may not be
  /// NGTCP2_ERR_PROTO: in an Initial packet the library ignores that and goes on with a buffer that is half read.
  func didReceiveCrypto(
    _ bytes: UnsafeRawBufferPointer, at level: ngtcp2_encryption_level, offset: UInt64
  ) -> Int32 {
    guard let place = HandshakeMessageOrder.Level(level) else { return NGTCP2_ERR_CALLBACK_FAILURE }
    guard let breach = packetGuard.breach(in: bytes, at: place, offset: offset) else {
      return ngtcp2_crypto_recv_crypto_data_cb(
        quic, level, offset, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, nil)
    }
    fail(with: breach)
    return NGTCP2_ERR_CALLBACK_FAILURE
  }

  /// Prepares a client's first write since the handshake completed.
  func prepareFirstWrite() {
    guard packetGuard.takeFirstWrite() else { return }
    CQUIC_conn_settle_reset_token(quic)
  }

  /// Begins with HTTP/3, or refuses a peer that gave no transport parameters (RFC 9001 § 8.2), without which the library
  /// would write and read 1-RTT packets.
  func openStreams() throws(HTTP3Error) {
    guard ngtcp2_conn_get_remote_transport_params(quic) != nil else {
      throw HTTP3Error(
        .tlsAlert(UInt8(GNUTLS_A_MISSING_EXTENSION.rawValue)), "The peer gave no QUIC transport parameters.")
    }
    // A server's Finished was written before this key was made.
    if isServer { sendCrypto(configuration.rawBehindFinished, inHandshake: true) }
    try mapping.open()
  }

  fileprivate func judge(_ payload: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer) -> Int32 {
    guard let level = HandshakeMessageOrder.Level(header: header) else { return 0 }
    switch packetGuard.judge(packet: payload, at: level, isHandshakeComplete: handshake != nil) {
    case .read: return 0
    case .discard: return NGTCP2_ERR_DECRYPT
    case .close(let error):
      fail(with: error)
      return NGTCP2_ERR_CALLBACK_FAILURE
    }
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
