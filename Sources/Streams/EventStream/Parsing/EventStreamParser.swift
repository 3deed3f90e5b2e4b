/// Reads an event stream byte by byte as HTML § 9.2.6 says, whatever the chunks it comes in.
///
/// Pure: bytes in, items out. Lines that end inside a chunk are read in place; only an unfinished line is copied. It
/// works on bytes, never on `Character`s, for which CR LF is one and a colon before a combining mark is none.
public struct EventStreamParser: Sendable {
  /// The limits past which ``parse(_:onItem:)-(UnsafeRawBufferPointer,_)`` throws.
  public let limits: EventStreamLimits
  /// The error that ended parsing; once set, nothing more is read.
  public private(set) var failure: EventStreamError?

  private var block: EventBlock
  private var start = Start.byteOrderMark(matched: 0)
  /// A CR ended the last chunk: a LF at the beginning of the next belongs to it.
  private var ignoresLineFeed = false
  /// The unfinished line; holds no line end.
  private var unfinished: [UInt8] = []

  /// The progress of the stream's one optional byte order mark.
  private enum Start {
    case byteOrderMark(matched: Int)
    case passed
  }

  /// - Parameter lastEventID: the id in force before the stream's first, when this stream resumes another.
  public init(limits: EventStreamLimits = .init(), lastEventID: String = "") {
    self.limits = limits
    block = EventBlock(lastEventID: lastEventID)
  }

  /// The id of the last finished block that had one; what a reconnect sends. Empty if there is none.
  public var lastEventID: String { block.lastEventID }

  /// The bytes that wait for their line or block to end; never above ``EventStreamLimits/buffered``.
  public var bufferedBytes: Int { unfinished.count + block.heldBytes }

  /// Begins a new stream after the old one ended: what is unfinished is dropped, its id too; ``lastEventID`` stays.
  public mutating func restart() {
    self = EventStreamParser(limits: limits, lastEventID: lastEventID)
  }

  /// Reads a chunk; `onItem` gets each item as its line or block ends.
  ///
  /// Throws when a limit is passed, after the items that came before, and then for every further chunk.
  public mutating func parse(
    _ bytes: UnsafeRawBufferPointer, onItem: (EventStreamItem) -> Void
  ) throws(EventStreamError) {
    if let failure { throw failure }
    guard let base = bytes.baseAddress else { return }
    do {
      try parse(base, count: bytes.count, onItem)
    } catch {
      failure = error
      unfinished = []
      block.drop()
      throw error
    }
  }

  /// Reads a chunk; see ``parse(_:onItem:)-(UnsafeRawBufferPointer,_)``.
  public mutating func parse(
    _ bytes: Span<UInt8>, onItem: (EventStreamItem) -> Void
  ) throws(EventStreamError) {
    try bytes.withUnsafeBytes { buffer throws(EventStreamError) in
      try parse(buffer, onItem: onItem)
    }
  }

  /// Reads a chunk and returns its items.
  ///
  /// If a limit is passed behind some items, they are returned and ``failure`` is set; the next call throws.
  public mutating func parse(_ bytes: [UInt8]) throws(EventStreamError) -> [EventStreamItem] {
    var items: [EventStreamItem] = []
    do {
      try parse(bytes.span) { items.append($0) }
    } catch {
      if items.isEmpty { throw error }
    }
    return items
  }

  private mutating func parse(
    _ base: UnsafeRawPointer, count: Int, _ onItem: (EventStreamItem) -> Void
  ) throws(EventStreamError) {
    var position = passByteOrderMark(base, count)
    guard position < count else { return }
    if ignoresLineFeed {
      ignoresLineFeed = false
      if base.load(fromByteOffset: position, as: UInt8.self) == LineEnd.lineFeed { position &+= 1 }
    }
    if !unfinished.isEmpty {
      let end = LineEnd.first(in: base, from: position, count: count)
      try hold(base, position, end)
      guard end < count else { return }
      try endHeldLine(onItem)
      position = passLineEnd(base, end, count)
    }
    while position < count {
      let end = LineEnd.first(in: base, from: position, count: count)
      guard end < count else { return try hold(base, position, end) }
      let line = UnsafeRawBufferPointer(start: base + position, count: end &- position)
      try block.endLine(line, limits, onItem)
      position = passLineEnd(base, end, count)
    }
  }

  /// The offset behind the byte order mark; bytes that only began like one are the first line's (Encoding § 6).
  private mutating func passByteOrderMark(_ base: UnsafeRawPointer, _ count: Int) -> Int {
    guard case .byteOrderMark(var matched) = start else { return 0 }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var position = 0
    while position < count, matched < mark.count {
      guard base.load(fromByteOffset: position, as: UInt8.self) == mark[matched] else {
        unfinished.append(contentsOf: mark[..<matched])
        start = .passed
        return position
      }
      matched += 1
      position += 1
    }
    start = matched == mark.count ? .passed : .byteOrderMark(matched: matched)
    return position
  }

  /// The offset behind the line end at `end`. CR ends its line at once: waiting for a LF would delay the event.
  @inline(__always)
  private mutating func passLineEnd(_ base: UnsafeRawPointer, _ end: Int, _ count: Int) -> Int {
    let next = end &+ 1
    guard base.load(fromByteOffset: end, as: UInt8.self) == LineEnd.carriageReturn else { return next }
    guard next < count else {
      ignoresLineFeed = true
      return next
    }
    return base.load(fromByteOffset: next, as: UInt8.self) == LineEnd.lineFeed ? next &+ 1 : next
  }

  private mutating func hold(
    _ base: UnsafeRawPointer, _ from: Int, _ to: Int
  ) throws(EventStreamError) {
    let colon: UInt8 = 0x3A
    let first = unfinished.first ?? base.load(fromByteOffset: from, as: UInt8.self)
    try block.checkLine(
      length: unfinished.count &+ (to &- from), isComment: first == colon, limits)
    unfinished.append(contentsOf: UnsafeRawBufferPointer(start: base + from, count: to &- from))
  }

  private mutating func endHeldLine(_ onItem: (EventStreamItem) -> Void) throws(EventStreamError) {
    // Taken out, so that the block may be changed while the line is read; a usual line's memory is used again.
    var line: [UInt8] = []
    swap(&line, &unfinished)
    try line.span.withUnsafeBytes { bytes throws(EventStreamError) in
      try block.endLine(bytes, limits, onItem)
    }
    guard line.capacity <= 64 << 10 else { return }
    line.removeAll(keepingCapacity: true)
    swap(&line, &unfinished)
  }
}
