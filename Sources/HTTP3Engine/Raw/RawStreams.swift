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
    /// Frames for the packet in place of these bytes.
    var frames: [UInt8]?
  }

  private var chunks: [Chunk] = []
  private var blocked: Set<Int64> = []
  /// QUIC resends from this memory.
  private var memory: [UnsafeMutableRawBufferPointer] = []
  /// What came on each stream, up to a limit; whether its bytes are given back to the peer.
  private(set) var received: [StreamID: [UInt8]] = [:]
  var consumes = true
  private static let receiveLimit = 1 << 20

  deinit {
    for buffer in memory { buffer.deallocate() }
  }

  func append(_ bytes: [UInt8], on id: StreamID, isLast: Bool, frames: [UInt8]? = nil) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 1)
    buffer.copyBytes(from: bytes)
    memory.append(buffer)
    let chunk = UnsafeMutableRawBufferPointer(rebasing: buffer[..<bytes.count])
    chunks.append(Chunk(id: id.rawValue, bytes: chunk, isLast: isLast, frames: frames))
  }

  func take(_ bytes: UnsafeRawBufferPointer, on id: StreamID) {
    guard received[id, default: []].count < Self.receiveLimit else { return }
    received[id, default: []] += bytes
  }

  /// The next chunk whose stream is not blocked: its stream, and whether the stream ends with it.
  func next(_ vectors: UnsafeMutableBufferPointer<nghttp3_vec>) -> (id: Int64, isLast: Bool, count: Int)? {
    guard let chunk = chunks.first(where: { !blocked.contains($0.id) }) else { return nil }
    let rest = UnsafeMutableRawBufferPointer(rebasing: chunk.bytes[chunk.sent...])
    vectors[0] = nghttp3_vec(base: rest.baseAddress?.assumingMemoryBound(to: UInt8.self), len: rest.count)
    return (chunk.id, chunk.isLast, rest.isEmpty ? 0 : 1)
  }

  /// Frames of the chunk that is next, which has a packet of its own.
  var nextFrames: [UInt8]? { chunks.first { !blocked.contains($0.id) }?.frames }

  func didSend(_ count: Int, on id: Int64) {
    guard let index = chunks.firstIndex(where: { $0.id == id }) else { return }
    chunks[index].sent += count
    if chunks[index].sent == chunks[index].bytes.count { chunks.remove(at: index) }
  }

  func block(_ id: Int64) { blocked.insert(id) }
  func unblock(_ id: Int64) { blocked.remove(id) }
  func forget(_ id: Int64) { chunks.removeAll { $0.id == id } }
}
