import CQUIC

/// The body bytes of one stream that are not acknowledged yet.
///
/// QUIC resends from this memory, so a chunk stays where it is until all of it is acknowledged or the stream is closed.
final class SendBuffer {
  private var chunks: [UnsafeMutableRawBufferPointer] = []
  /// Chunks before this index were handed to HTTP/3.
  private var nextUnsent = 0
  /// Bytes of the first chunk that are acknowledged already.
  private var acknowledgedOfFirst = 0
  private(set) var byteCount = 0
  private(set) var isFinished = false
  private(set) var trailers: [HeaderField]?

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  var hasUnsent: Bool { nextUnsent < chunks.count }

  func append(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    chunk.copyBytes(from: bytes)
    chunks.append(chunk)
    byteCount += bytes.count
  }

  func finish(trailers: [HeaderField]? = nil) {
    isFinished = true
    self.trailers = trailers
  }

  func takeTrailers() -> [HeaderField]? {
    defer { trailers = nil }
    return trailers
  }

  /// Hands over unsent chunks, as many as there is room for.
  func read(into vectors: UnsafeMutablePointer<nghttp3_vec>, capacity: Int) -> Int {
    let count = min(capacity, chunks.count - nextUnsent)
    for index in 0..<count {
      let chunk = chunks[nextUnsent + index]
      vectors[index] = nghttp3_vec(
        base: chunk.baseAddress?.assumingMemoryBound(to: UInt8.self), len: chunk.count)
    }
    nextUnsent += count
    return count
  }

  /// Frees what the peer has acknowledged, in order.
  func acknowledge(_ count: Int) {
    byteCount -= count
    acknowledgedOfFirst += count
    var whole = 0
    while whole < nextUnsent, acknowledgedOfFirst >= chunks[whole].count {
      acknowledgedOfFirst -= chunks[whole].count
      chunks[whole].deallocate()
      whole += 1
    }
    chunks.removeFirst(whole)
    nextUnsent -= whole
  }
}
