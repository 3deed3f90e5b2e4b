import CQUIC

/// The body bytes of one stream that are not acknowledged yet.
///
/// QUIC resends from this memory, so a chunk stays where it is until all of it is acknowledged or the stream is closed.
final class SendBuffer {
  private var chunks: [UnsafeMutableRawBufferPointer] = []
  /// Chunks before this index were handed to HTTP/3.
  private var nextUnsent = 0
  /// Bytes of that chunk that were sent already, where a datagram's worth is taken at a time.
  private var sentOfNext = 0
  /// Bytes of the first chunk that are acknowledged already.
  private var acknowledgedOfFirst = 0
  private var byteCountOfFirst = 0
  private(set) var byteCount = 0
  /// Bytes that the peer has, all there were in order.
  private(set) var acknowledgedCount: UInt64 = 0
  private var isDropped = false
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
    if chunks.isEmpty { byteCountOfFirst = chunk.count }
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

  /// Shows unsent bytes without taking them; whether these are all.
  func unsent(into vectors: UnsafeMutableBufferPointer<nghttp3_vec>) -> (count: Int, isAll: Bool) {
    let count = min(vectors.count, chunks.count - nextUnsent)
    for index in 0..<count {
      let chunk = chunks[nextUnsent + index].dropFirst(index == 0 ? sentOfNext : 0)
      let rest = UnsafeMutableRawBufferPointer(rebasing: chunk)
      vectors[index] = nghttp3_vec(base: rest.baseAddress?.assumingMemoryBound(to: UInt8.self), len: rest.count)
    }
    return (count, nextUnsent + count == chunks.count)
  }

  /// Takes the first `count` of the bytes that ``unsent(into:)`` has shown.
  func markSent(_ count: Int) {
    sentOfNext += count
    while nextUnsent < chunks.count, sentOfNext >= chunks[nextUnsent].count {
      sentOfNext -= chunks[nextUnsent].count
      nextUnsent += 1
    }
  }

  // MARK: Places in the content

  /// The places of the body's bytes among the first `count` of these; nil where none are.
  func content(of vectors: Slice<UnsafeMutableBufferPointer<nghttp3_vec>>, count: Int) -> Range<UInt64>? {
    var left = count
    var range: Range<UInt64>?
    for vector in vectors where left > 0 {
      let taken = min(left, vector.len)
      left -= taken
      guard taken > 0, let base = vector.base, let place = place(of: base) else { continue }
      range = (range?.lowerBound ?? place)..<place + UInt64(taken)
    }
    return range
  }

  private func place(of byte: UnsafeMutablePointer<UInt8>) -> UInt64? {
    let byte = UnsafeMutableRawPointer(byte)
    var start = end
    for chunk in chunks.reversed() {
      start -= UInt64(chunk.count)
      guard let base = chunk.baseAddress, base <= byte, byte < base + chunk.count else { continue }
      return start + UInt64(byte - base)
    }
    return nil
  }

  /// A copy of the bytes at these places; nil where some are not, or no longer, here.
  func content(in range: Range<UInt64>) -> [UInt8]? {
    guard range.upperBound <= end else { return nil }
    var pieces: [Slice<UnsafeMutableRawBufferPointer>] = []
    var start = end
    for chunk in chunks.reversed() where start > range.lowerBound {
      let upper = Int(min(start, range.upperBound) - min(start - UInt64(chunk.count), range.upperBound))
      start -= UInt64(chunk.count)
      let lower = Int(max(start, range.lowerBound) - start)
      if lower < upper { pieces.append(chunk[lower..<upper]) }
    }
    return start <= range.lowerBound ? pieces.reversed().flatMap { $0 } : nil
  }

  /// The place behind the last byte that was given.
  private var end: UInt64 { acknowledgedCount + UInt64(byteCount) }

  /// Frees everything, once the stream is reset: ngtcp2 (1.11) sends nothing of such a stream again, and a peer that does
  /// not acknowledge the reset would otherwise keep the memory.
  func drop() {
    for chunk in chunks { chunk.deallocate() }
    chunks = []
    (nextUnsent, sentOfNext, acknowledgedOfFirst, byteCountOfFirst, byteCount) = (0, 0, 0, 0, 0)
    isDropped = true
  }

  /// Frees what the peer has acknowledged, in order.
  func acknowledge(_ count: Int) {
    guard !isDropped else { return }
    byteCount -= count
    acknowledgedCount += UInt64(count)
    acknowledgedOfFirst += count
    // As with most datagrams, which are a small part of a chunk.
    guard acknowledgedOfFirst >= byteCountOfFirst else { return }
    var whole = 0
    while whole < nextUnsent, acknowledgedOfFirst >= chunks[whole].count {
      acknowledgedOfFirst -= chunks[whole].count
      chunks[whole].deallocate()
      whole += 1
    }
    chunks.removeFirst(whole)
    nextUnsent -= whole
    byteCountOfFirst = chunks.first?.count ?? 0
  }
}
