import CQUIC

/// Streams without HTTP/3, and packets with any frames: a peer that breaks the rules, for tests and fuzzing.
///
/// A connection whose configuration asks for it (`isRaw`) makes no HTTP/3 session; its owner writes what it likes.
final class RawStreams {
  private struct Chunk {
    var id: Int64
    var bytes: UnsafeMutableRawBufferPointer
    var sent = 0
    var isLast: Bool
    /// The frames that the packet carries in place of these bytes.
    var forgery: Forgery?
  }

  /// Frames for a packet in place of what the library writes into it.
  struct Forgery {
    var frames: [UInt8]
    var packets = CQUIC_FORGE_ONE_RTT
    /// Set in the header's first byte.
    var bits: UInt8 = 0
  }

  private var chunks: [Chunk] = []
  private var blocked: Set<Int64> = []
  /// QUIC resends from this memory.
  private var memory: [UnsafeMutableRawBufferPointer] = []
  /// The bytes that came on each stream, up to a limit; whether they are given back to the peer.
  private(set) var received: [StreamID: [UInt8]] = [:]
  var consumes = true
  private static let receiveLimit = 1 << 20
  /// How the peer ended streams and the connection, in order, up to a limit.
  private(set) var endings: [QUICFrame] = []
  private static let endingLimit = 1_000
  /// Streams that ended well on both sides: all that was sent on them is acknowledged.
  private(set) var completed: Set<StreamID> = []
  /// Streams that began as early data.
  var early: Set<StreamID> = []
  /// Changes the frames of every packet before it is sealed; given the header's first byte.
  var change: ((_ first: UInt8, _ payload: UnsafeMutableRawBufferPointer) -> Void)?
  /// For the next packet of the handshake.
  private var handshakeForgery: Forgery?
  private var quic = QUICStreams()

  deinit {
    for buffer in memory { buffer.deallocate() }
  }

  /// Told once, when the library has made the connection.
  func attach(to quic: QUICStreams) { self.quic = quic }

  // MARK: The owner's orders

  func open(isBidirectional: Bool) -> StreamID? { quic.open(isBidirectional: isBidirectional) }

  /// RESET_STREAM.
  func reset(_ id: StreamID, code: ApplicationErrorCode) {
    forget(id.rawValue)
    quic.reset(id, code: code)
  }

  /// STOP_SENDING.
  func stopReading(_ id: StreamID, code: ApplicationErrorCode) { quic.stopReading(id, code: code) }

  /// A packet of frames, at most 1 000 bytes, in place of bytes on a stream; see ``HTTP3Connection/sendFrames(_:carrier:bits:)``.
  func append(frames: [UInt8], on carrier: StreamID, bits: UInt8) {
    let frames = Array(frames.prefix(1_000))
    append(
      [UInt8](repeating: 0x21, count: frames.count), on: carrier, isLast: false,
      forgery: Forgery(frames: frames, bits: bits))
  }

  func append(_ bytes: [UInt8], on id: StreamID, isLast: Bool, forgery: Forgery? = nil) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
    buffer.copyBytes(from: bytes)
    memory.append(buffer)
    let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer[..<bytes.count])
    chunks.append(Chunk(id: id.rawValue, bytes: chunk, isLast: isLast, forgery: forgery))
  }

  // MARK: Reading and writing

  func take(_ bytes: UnsafeRawBufferPointer, on id: StreamID) {
    if consumes { quic.credit(bytes.count, on: id) }
    guard received[id, default: []].count < Self.receiveLimit else { return }
    received[id, default: []] += bytes
  }

  /// The next chunk whose stream is not blocked.
  func nextData(_ vectors: UnsafeMutableBufferPointer<nghttp3_vec>) -> StreamMapping.StreamData {
    guard quic.isWindowOpen, let chunk = chunks.first(where: { !blocked.contains($0.id) }) else { return .nothing }
    let rest = UnsafeMutableRawBufferPointer(rebasing: chunk.bytes[chunk.sent...])
    vectors[0] = nghttp3_vec(base: rest.baseAddress?.assumingMemoryBound(to: UInt8.self), len: rest.count)
    return StreamMapping.StreamData(id: chunk.id, isLast: chunk.isLast, vectorCount: rest.isEmpty ? 0 : 1)
  }

  // MARK: Forged packets

  /// The next forgery: of a packet of the handshake, or of the packet of the chunk that is next, which has one of its
  /// own.
  private var nextForgery: Forgery? { handshakeForgery ?? chunks.first { !blocked.contains($0.id) }?.forgery }

  func forgeHandshake(_ frames: [UInt8], inInitial: Bool) {
    handshakeForgery = Forgery(frames: frames, packets: inInitial ? CQUIC_FORGE_INITIAL : CQUIC_FORGE_HANDSHAKE)
  }

  /// Writes a packet with frames in it where some are due; the call's answer goes through.
  func forging<Result>(_ body: () -> Result) -> Result {
    if change != nil { CQUIC_forge_packets(changePacket, Unmanaged.passUnretained(self).toOpaque()) }
    defer { CQUIC_forge_packets(nil, nil) }
    guard let forgery = nextForgery else { return body() }
    return forgery.frames.withUnsafeBufferPointer { buffer in
      CQUIC_forge_frames(buffer.baseAddress, buffer.count, forgery.packets)
      CQUIC_forge_bits(forgery.bits)
      defer {
        if CQUIC_forged() != 0 { handshakeForgery = nil }
        CQUIC_forge_frames(nil, 0, CQUIC_FORGE_ONE_RTT)
      }
      return body()
    }
  }

  /// Notes what a packet of the peer's says of endings.
  func didOpen(_ payload: UnsafeRawBufferPointer) {
    var decoder = QUICFrameDecoder(payload)
    while let (frame, _) = decoder.next() {
      switch frame {
      case .close, .resetStream, .stopSending: if endings.count < Self.endingLimit { endings.append(frame) }
      default: break
      }
    }
  }

  func didComplete(_ id: StreamID) { completed.insert(id) }

  func didSend(_ count: Int, on id: Int64) {
    guard let index = chunks.firstIndex(where: { $0.id == id }) else { return }
    chunks[index].sent += count
    if chunks[index].sent == chunks[index].bytes.count { chunks.remove(at: index) }
  }

  func block(_ id: Int64) { blocked.insert(id) }
  func unblock(_ id: Int64) { blocked.remove(id) }
  func forget(_ id: Int64) { chunks.removeAll { $0.id == id } }
}

private func changePacket(
  _ context: UnsafeMutableRawPointer?, _ header: UnsafePointer<UInt8>?, _ headerLength: Int,
  _ payload: UnsafeMutablePointer<UInt8>?, _ payloadLength: Int
) {
  guard let context, let header else { return }
  let raw = Unmanaged<RawStreams>.fromOpaque(context).takeUnretainedValue()
  raw.change?(header.pointee, UnsafeMutableRawBufferPointer(start: payload, count: payloadLength))
}
