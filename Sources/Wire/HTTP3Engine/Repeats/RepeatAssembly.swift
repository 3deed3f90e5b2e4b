/// The content of one response as it is put together from its stream and from repeats beside it: each byte is handed on
/// once, in order, as soon as either has brought it.
///
/// What repeats bring is kept until the stream brings the same, and compared with it.
package struct RepeatAssembly {
  /// The disagreement of the two, by which the connection ends.
  package enum Breach: Error, Equatable {
    /// Bytes of one place differ.
    case difference
    /// The stream ended before bytes that were repeated.
    case beyondEnd
  }

  /// Bytes that are kept, of those handed on and of those ahead of a hole together; further ones are lost like a datagram.
  package static let byteLimit = 16 << 10
  /// Pieces that are kept.
  static let pieceLimit = 128

  private enum State {
    /// Nothing is handed on: the response's head has not come, or does not say that there are repeats.
    case waiting
    case handingOn
  }

  private var state = State.waiting
  /// The place up to which the stream has brought the content.
  package private(set) var position: UInt64 = 0
  /// The place up to which it was handed on.
  package private(set) var delivered: UInt64 = 0
  /// The ranges from `position` on that repeats brought: in order, without overlaps.
  private var pieces: [ContentRange] = []
  private var byteCount = 0

  package init() {}

  /// Bytes that were handed on and that the stream has not brought.
  package var early: Int { Int(delivered - position) }

  /// Whether repeats are handed on.
  var isHandingOn: Bool {
    if case .handingOn = state { true } else { false }
  }

  /// Whether anything came that is kept.
  var isEmpty: Bool { pieces.isEmpty }

  /// The response's head has come, with the word that there are repeats: answers what is next in order of those that came
  /// before.
  package mutating func begin() -> [UInt8] {
    state = .handingOn
    return release()
  }

  // MARK: Repeats

  /// Takes a repeat, and answers the bytes that are next in order by it.
  package mutating func receive(_ range: ContentRange) throws(Breach) -> [UInt8] {
    guard range.end > position else { return [] }
    var gaps: [Range<UInt64>] = []
    // Up to where the repeat is accounted for.
    var cursor = max(range.offset, position)
    for piece in pieces where piece.end > cursor {
      guard piece.offset < range.end else { break }
      try compare(piece, with: range)
      if piece.offset > cursor { gaps.append(cursor..<piece.offset) }
      cursor = piece.end
    }
    if cursor < range.end { gaps.append(cursor..<range.end) }
    for gap in gaps { keep(gap, of: range) }
    return release()
  }

  private func compare(_ piece: ContentRange, with other: ContentRange) throws(Breach) {
    let common = max(piece.offset, other.offset)..<min(piece.end, other.end)
    guard piece.slice(common) == other.slice(common) else { throw .difference }
  }

  /// Keeps a part of a repeat that none brought before, unless it is too much: a part ahead of it is worth no more.
  private mutating func keep(_ gap: Range<UInt64>, of range: ContentRange) {
    let bytes = range.slice(gap)
    guard pieces.count < Self.pieceLimit, byteCount + bytes.count <= Self.byteLimit else { return }
    byteCount += bytes.count
    let index = pieces.firstIndex { $0.offset > gap.lowerBound } ?? pieces.endIndex
    pieces.insert(ContentRange(offset: gap.lowerBound, bytes: Array(bytes)), at: index)
  }

  /// The bytes next in order among those that are kept, which stay for the stream to be compared with.
  private mutating func release() -> [UInt8] {
    guard isHandingOn else { return [] }
    var bytes: [UInt8] = []
    for piece in pieces where piece.end > delivered {
      guard piece.offset <= delivered else { break }
      bytes += piece.slice(delivered..<piece.end)
      delivered = piece.end
    }
    return bytes
  }

  // MARK: The stream

  /// Takes the stream's next bytes. Answers how many of them were handed on before, and what of the repeats is next in
  /// order behind them.
  package mutating func receiveStream(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(Breach) -> (known: Int, following: [UInt8]) {
    let start = position
    let end = start + UInt64(bytes.count)
    var passed = 0
    for piece in pieces {
      guard piece.offset < end else { break }
      let common = max(piece.offset, start)..<min(piece.end, end)
      let place = Int(common.lowerBound - start)..<Int(common.upperBound - start)
      guard piece.slice(common).elementsEqual(bytes[place]) else { throw .difference }
      byteCount -= common.count
      if piece.end <= end { passed += 1 }
    }
    pieces.removeFirst(passed)
    if let first = pieces.first, first.offset < end {
      pieces[0] = ContentRange(offset: end, bytes: Array(first.slice(end..<first.end)))
    }
    position = end
    let known = Int(min(delivered, end) - start)
    delivered = max(delivered, end)
    return (known, release())
  }

  /// The stream has ended.
  package func end() throws(Breach) {
    if !pieces.isEmpty { throw .beyondEnd }
  }
}

extension ContentRange {
  /// The bytes of these places, which are within it.
  fileprivate func slice(_ places: Range<UInt64>) -> ArraySlice<UInt8> {
    bytes[Int(places.lowerBound - offset)..<Int(places.upperBound - offset)]
  }
}
