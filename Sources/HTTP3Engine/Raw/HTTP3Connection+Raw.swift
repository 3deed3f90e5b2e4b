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

  /// A packet with these frames and nothing else, at most 1 000 bytes. Bytes on the stream `carrier`, which the peer never
  /// sees (they would begin a stream of a reserved type), make the library write a packet; the windows of stream and connection have to hold them.
  package func sendFrames(_ frames: [UInt8], carrier: StreamID) {
    let frames = Array(frames.prefix(1_000))
    raw?.append([UInt8](repeating: 0, count: frames.count), on: carrier, isLast: false, frames: frames)
  }

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

  /// Writes a packet with frames in it where some are due; the call's answer goes through.
  func forging<Result>(_ body: () -> Result) -> Result {
    guard let frames = raw?.nextFrames else { return body() }
    return frames.withUnsafeBufferPointer { buffer in
      CQUIC_forge_frames(buffer.baseAddress, buffer.count)
      defer { CQUIC_forge_frames(nil, 0) }
      return body()
    }
  }
}
