import Glibc

/// Cuts the bytes of a rollout into lines, however they are divided, and holds no more than one line of a limited length.
struct RolloutLineReader: Sendable {
  struct Line: Hashable, Sendable {
    /// From 1 on; lines that were skipped count.
    var number: Int
    var bytes: [UInt8]
  }

  private enum State: Sendable {
    /// The beginning of a line.
    case reading([UInt8])
    /// Within a line that is too long.
    case skipping
  }

  private let limit: Int
  private var state = State.reading([])
  private var lines = 0
  /// Lines that were longer than the limit.
  private(set) var skipped = 0

  init(limit: Int) { self.limit = limit }

  /// Hands over the lines that end within the bytes.
  mutating func append(_ bytes: [UInt8], _ body: (Line) -> Void) {
    bytes.withUnsafeBytes { all in
      var start = 0
      while let end = Self.lineEnd(all, from: start) {
        take(all[start..<end])
        lines += 1
        switch state {
        case .reading(let line): body(Line(number: lines, bytes: line))
        case .skipping: skipped += 1
        }
        state = .reading([])
        start = end + 1
      }
      take(all[start...])
    }
  }

  /// The bytes of a line that has no end yet; nil where there are none, or too many.
  var unfinished: Line? {
    switch state {
    case .reading([]), .skipping: nil
    case .reading(let line): Line(number: lines + 1, bytes: line)
    }
  }

  private static func lineEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = bytes.baseAddress, start < bytes.count else { return nil }
    return memchr(base + start, 0x0A, bytes.count - start).map { base.distance(to: UnsafeRawPointer($0)) }
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer.SubSequence) {
    guard case .reading(var line) = state else { return }
    guard line.count + bytes.count <= limit else {
      state = .skipping
      return
    }
    // Else the array would be copied for each part of a long line.
    state = .skipping
    line.append(contentsOf: bytes)
    state = .reading(line)
  }
}
