import CQUIC

/// Streams without HTTP/3, and packets with any frames: a peer that breaks the rules, for tests and fuzzing.
///
/// A connection whose configuration asks for it (`isRaw`) makes no HTTP/3 session; its owner writes what it likes. Once the
/// connection is closed, orders do nothing.
package final class RawStreams {
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
  /// The bytes that came on each stream, up to a limit.
  private var received: [StreamID: [UInt8]] = [:]
  /// Whether what the peer sends is given back to it at once.
  package var consumes = true
  private static let receiveLimit = 1 << 20
  /// The peer's CONNECTION_CLOSE, RESET_STREAM and STOP_SENDING frames, in order, up to a limit.
  package private(set) var endings: [QUICFrame] = []
  private static let endingLimit = 1_000
  /// Streams that ended well on both sides: all that was sent on them is acknowledged.
  private var completed: Set<StreamID> = []
  /// Streams that began as early data.
  var early: Set<StreamID> = []
  /// Changes the frames of every packet before it is sealed; given the header's first byte.
  private var change: ((_ first: UInt8, _ payload: UnsafeMutableRawBufferPointer) -> Void)?
  /// For the next packet of the handshake.
  private var handshakeForgery: Forgery?
  private var quic = QUICStreams()
  private var isClosed = false

  deinit {
    for buffer in memory { buffer.deallocate() }
  }

  /// Called once, when the library has made the connection.
  func attach(to quic: QUICStreams) { self.quic = quic }

  /// The connection is closed.
  func close() { isClosed = true }

  // MARK: The owner's orders

  /// A new stream; nil while the peer allows none.
  package func open(isBidirectional: Bool) -> StreamID? {
    isClosed ? nil : quic.open(isBidirectional: isBidirectional)
  }

  /// Sends bytes on a stream.
  package func send(_ bytes: [UInt8], on id: StreamID, isLast: Bool = false) {
    append(bytes, on: id, isLast: isLast, forgery: nil)
  }

  /// Sends RESET_STREAM.
  package func reset(_ id: StreamID, code: ApplicationErrorCode) {
    guard !isClosed else { return }
    forget(id.rawValue)
    quic.reset(id, code: code)
  }

  /// Sends STOP_SENDING.
  package func stop(_ id: StreamID, code: ApplicationErrorCode) {
    if !isClosed { quic.stopReading(id, code: code) }
  }

  /// Sends a packet with these frames and nothing else, at most 1 000 bytes. Bytes on the stream `carrier`, which the peer does
  /// not see, make the library write a packet; the windows of stream and connection have to hold them. Where the packet counts
  /// as lost the library sends them as they are: they begin a stream of a reserved type (RFC 9114 § 6.2.3).
  ///
  /// - Parameter bits: set in the first byte of the packet's header, such as the reserved ones (RFC 9000 § 17.3.1).
  package func sendFrames(_ frames: [UInt8], carrier: StreamID, bits: UInt8 = 0) {
    let frames = Array(frames.prefix(1_000))
    append(
      [UInt8](repeating: 0x21, count: frames.count), on: carrier, isLast: false,
      forgery: Forgery(frames: frames, bits: bits))
  }

  /// Puts these frames into the next packet of the handshake that has room for them, in place of its own.
  package func forgeHandshake(_ frames: [UInt8], inInitial: Bool) {
    handshakeForgery = Forgery(frames: frames, packets: inInitial ? CQUIC_FORGE_INITIAL : CQUIC_FORGE_HANDSHAKE)
  }

  /// Appends bytes to the CRYPTO stream of 1-RTT packets, or of Handshake packets as long as there are any.
  package func sendCrypto(_ bytes: [UInt8], inHandshake: Bool = false) {
    if !isClosed, !bytes.isEmpty { quic.sendCrypto(bytes, inHandshake: inHandshake) }
  }

  /// Has every packet's frames changed before it is sealed; the closure is given the first byte of the header.
  package func changePackets(_ change: ((_ first: UInt8, _ payload: UnsafeMutableRawBufferPointer) -> Void)?) {
    self.change = change
  }

  /// The bytes that came on a stream.
  package func bytes(on id: StreamID) -> [UInt8] { received[id] ?? [] }

  /// Whether both sides of the stream ended well and the peer acknowledged all of ours.
  package func isCompleted(_ id: StreamID) -> Bool { completed.contains(id) }

  private func append(_ bytes: [UInt8], on id: StreamID, isLast: Bool, forgery: Forgery?) {
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

  fileprivate func change(_ first: UInt8, _ payload: UnsafeMutableRawBufferPointer) { change?(first, payload) }

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
  raw.change(header.pointee, UnsafeMutableRawBufferPointer(start: payload, count: payloadLength))
}
