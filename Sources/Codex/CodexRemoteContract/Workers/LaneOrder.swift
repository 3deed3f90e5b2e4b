/// The order of a worker's requests that are under way: those that change one thread are performed one after the other,
/// as the worker's log has them; others at once. Pure.
struct LaneOrder: Equatable, Sendable {
  /// The line of earlier requests that a request has to wait for.
  enum Line: Equatable, Sendable {
    /// No earlier request: it only reads, or it names exactly what it ends.
    case free
    /// Begins a thread.
    case newThread
    case thread(String)
    /// Names no thread: earlier requests decide which one is meant.
    case onlyThread

    fileprivate func follows(_ earlier: Line) -> Bool {
      switch (self, earlier) {
      case (.free, _), (_, .free), (.newThread, .newThread), (.newThread, .thread), (.thread, .newThread): false
      case (.thread(let own), .thread(let other)): own == other
      case (.onlyThread, _), (_, .onlyThread): true
      }
    }
  }

  private struct Entry: Equatable {
    let number: Int
    let line: Line
    /// Whether it takes one of the places of ``maximumBegun``.
    let isCounted: Bool
    var isBegun = false
  }

  /// Requests that are performed at one time; an interrupt is not counted, so that slow ones keep none back.
  static let maximumBegun = 8
  /// Requests that are performed or wait; a runtime has as many of a worker waiting.
  static let maximumEntries = 128

  private var entries: [Entry] = []
  private var count = 0

  /// Takes a place; nil where there is none.
  mutating func enter(_ line: Line, isCounted: Bool) -> Int? {
    guard entries.count < Self.maximumEntries else { return nil }
    count += 1
    entries.append(Entry(number: count, line: line, isCounted: isCounted))
    _ = beginAll()
    return count
  }

  /// Whether its turn has come.
  func isBegun(_ number: Int) -> Bool { entries.contains { $0.number == number && $0.isBegun } }

  /// Gives the place back. Returns those whose turn has come by it, in their order.
  mutating func leave(_ number: Int) -> [Int] {
    entries.removeAll { $0.number == number }
    return beginAll()
  }

  private mutating func beginAll() -> [Int] {
    var begun: [Int] = []
    var free = Self.maximumBegun - entries.count { $0.isBegun && $0.isCounted }
    for index in entries.indices where !entries[index].isBegun {
      let entry = entries[index]
      guard !entry.isCounted || free > 0, !entries[..<index].contains(where: { entry.line.follows($0.line) }) else {
        continue
      }
      entries[index].isBegun = true
      if entry.isCounted { free -= 1 }
      begun.append(entry.number)
    }
    return begun
  }
}
