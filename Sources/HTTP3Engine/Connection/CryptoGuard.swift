import CQUIC

/// Judges a peer's CRYPTO frames before the library buffers them, and their bytes before TLS reads them.
struct CryptoGuard {
  private var messages: HandshakeMessageOrder
  private var reordering = [CryptoReordering](repeating: CryptoReordering(), count: 3)

  /// - Parameter isServer: whether the peer is a client.
  init(isServer: Bool) {
    messages = HandshakeMessageOrder(isServer: isServer)
  }

  /// Whether the library may read a packet that was opened: nil, or what ends the connection.
  mutating func breach(
    inPacket payload: UnsafeRawBufferPointer, at level: HandshakeMessageOrder.Level, isHandshakeComplete: Bool
  ) -> HTTP3Error? {
    guard var frames = CryptoFrames(payload) else { return nil }
    let limit = isHandshakeComplete ? CryptoReordering.limit : CryptoReordering.handshakeLimit
    while let frame = frames.next() {
      guard reordering[level.rawValue].admit(offset: frame.offset, count: frame.count, limit: limit) else {
        return HTTP3Error(
          .transport(.cryptoBufferExceeded), "The peer sent more CRYPTO bytes out of order than are kept.")
      }
    }
    return nil
  }

  /// Whether TLS may read the next bytes of a level, which are in order: nil, or what ends the connection.
  mutating func breach(
    in bytes: UnsafeRawBufferPointer, at level: HandshakeMessageOrder.Level, offset: UInt64
  ) -> HTTP3Error? {
    reordering[level.rawValue].didDeliver(upTo: offset + UInt64(bytes.count))
    switch messages.breach(in: bytes, at: level) {
    case nil: return nil
    case .unexpected(let type):
      return HTTP3Error(
        .tlsAlert(UInt8(GNUTLS_A_UNEXPECTED_MESSAGE.rawValue)),
        "The peer sent a TLS message that may not come here (type \(type)).")
    case .tooLong(let length):
      return HTTP3Error(
        .transport(.cryptoBufferExceeded), "The peer announced a TLS message of \(length) bytes, more than are kept.")
    }
  }
}

extension HandshakeMessageOrder.Level {
  /// The level of a packet by its header without protection; nil for one without CRYPTO frames (RFC 9000 § 12.5).
  init?(header: UnsafeRawBufferPointer) {
    guard let first = header.first else { return nil }
    guard first & 0x80 != 0 else {
      self = .oneRTT
      return
    }
    guard header.count >= 5 else { return nil }
    let isVersion2 = header.loadUnaligned(fromByteOffset: 1, as: UInt32.self).bigEndian == QUICVersion.v2.rawValue
    // Version 2 numbers the types anew (RFC 9369 § 3.2).
    switch ((first >> 4) &- (isVersion2 ? 1 : 0)) & 3 {
    case 0: self = .initial
    case 2: self = .handshake
    default: return nil
    }
  }

  init?(_ level: ngtcp2_encryption_level) {
    switch level {
    case NGTCP2_ENCRYPTION_LEVEL_INITIAL: self = .initial
    case NGTCP2_ENCRYPTION_LEVEL_HANDSHAKE: self = .handshake
    case NGTCP2_ENCRYPTION_LEVEL_1RTT: self = .oneRTT
    default: return nil
    }
  }
}
