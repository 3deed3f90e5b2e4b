import CQUIC

extension HTTP3Connection {
  /// A stream for ``sendRaw(_:on:isLast:)``; nil while the peer allows none. Of a raw connection, as the others here.
  package func openRawStream(isBidirectional: Bool) -> StreamID? {
    guard raw != nil, !isClosed else { return nil }
    var id: Int64 = -1
    let code =
      isBidirectional ? ngtcp2_conn_open_bidi_stream(quic, &id, nil) : ngtcp2_conn_open_uni_stream(quic, &id, nil)
    return code == 0 ? StreamID(id) : nil
  }

  package func sendRaw(_ bytes: [UInt8], on id: StreamID, isLast: Bool = false) {
    raw?.append(bytes, on: id, isLast: isLast)
  }

  /// A packet with these frames and nothing else, at most 1 000 bytes. Bytes on the stream `carrier`, which the peer does not
  /// see, make the library write a packet; the windows of stream and connection have to hold them. Where the packet counts
  /// as lost the library sends them as they are: they begin a stream of a reserved type (RFC 9114 § 6.2.3).
  ///
  /// - Parameter bits: set in the first byte of the packet's header, such as the reserved ones (RFC 9000 § 17.3.1).
  package func sendFrames(_ frames: [UInt8], carrier: StreamID, bits: UInt8 = 0) {
    let frames = Array(frames.prefix(1_000))
    raw?.append(
      [UInt8](repeating: 0x21, count: frames.count), on: carrier, isLast: false,
      forgery: RawStreams.Forgery(frames: frames, bits: bits))
  }

  /// Puts these frames into the next packet of the handshake that has room for them, in place of its own.
  package func forgeHandshake(_ frames: [UInt8], inInitial: Bool) {
    raw?.forgeHandshake(
      RawStreams.Forgery(frames: frames, packets: inInitial ? CQUIC_FORGE_INITIAL : CQUIC_FORGE_HANDSHAKE))
  }

  /// Appends bytes to the CRYPTO stream of 1-RTT packets, or of Handshake packets as long as there are any.
  package func sendCrypto(_ bytes: [UInt8], inHandshake: Bool = false) {
    guard raw != nil, !isClosed, !bytes.isEmpty else { return }
    let level = inHandshake ? NGTCP2_ENCRYPTION_LEVEL_HANDSHAKE : NGTCP2_ENCRYPTION_LEVEL_1RTT
    ngtcp2_conn_submit_crypto_data(quic, level, bytes, bytes.count)
  }

  /// What the peer sent of CONNECTION_CLOSE, RESET_STREAM and STOP_SENDING, in order.
  package var rawEndings: [QUICFrame] { raw?.endings ?? [] }

  /// Whether both sides of the stream ended well and the peer acknowledged all of ours.
  package func isRawCompleted(_ id: StreamID) -> Bool { raw?.completed.contains(id) ?? false }

  /// RESET_STREAM.
  package func resetRaw(_ id: StreamID, code: ApplicationErrorCode) {
    guard let raw, !isClosed else { return }
    raw.forget(id.rawValue)
    ngtcp2_conn_shutdown_stream_write(quic, 0, id.rawValue, code.rawValue)
  }

  /// STOP_SENDING.
  package func stopRaw(_ id: StreamID, code: ApplicationErrorCode) {
    guard raw != nil, !isClosed else { return }
    ngtcp2_conn_shutdown_stream_read(quic, 0, id.rawValue, code.rawValue)
  }

  package func rawBytes(on id: StreamID) -> [UInt8] { raw?.received[id] ?? [] }

  /// Whether what the peer sends is given back to it at once; true at first.
  package var consumesRaw: Bool {
    get { raw?.consumes ?? false }
    set { raw?.consumes = newValue }
  }

  /// Has every packet's frames changed before it is sealed; the closure is given the first byte of the header.
  package func changePackets(_ change: ((UInt8, UnsafeMutableRawBufferPointer) -> Void)?) { raw?.change = change }

  /// Lets a raw connection change the packets that it sends.
  func forgePackets(_ callbacks: inout ngtcp2_callbacks) {
    guard raw != nil else { return }
    callbacks.encrypt = CQUIC_forging_encrypt
  }

  /// Writes a packet with frames in it where some are due; the call's answer goes through.
  func forging<Result>(_ body: () -> Result) -> Result {
    guard let raw else { return body() }
    if raw.change != nil { CQUIC_forge_packets(changePacket, Unmanaged.passUnretained(raw).toOpaque()) }
    defer { CQUIC_forge_packets(nil, nil) }
    guard let forgery = raw.nextForgery else { return body() }
    return forgery.frames.withUnsafeBufferPointer { buffer in
      CQUIC_forge_frames(buffer.baseAddress, buffer.count, forgery.packets)
      CQUIC_forge_bits(forgery.bits)
      defer {
        if CQUIC_forged() != 0 { raw.didForge() }
        CQUIC_forge_frames(nil, 0, CQUIC_FORGE_ONE_RTT)
      }
      return body()
    }
  }
}

private func changePacket(
  _ context: UnsafeMutableRawPointer?, _ header: UnsafePointer<UInt8>?, _ headerLength: Int,
  _ payload: UnsafeMutablePointer<UInt8>?, _ payloadLength: Int
) {
  guard let context, let header else { return }
  let raw = Unmanaged<RawStreams>.fromOpaque(context).takeUnretainedValue()
  raw.change?(header.pointee, UnsafeMutableRawBufferPointer(start: payload, count: payloadLength))
}
