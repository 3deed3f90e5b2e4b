/// The traces in a directory, within a number of files and of bytes: pure, its caller removes the files.
struct QlogRetention {
  private struct Trace {
    var name: String
    var byteCount: Int
    var isOpen: Bool
  }

  private let maximumFiles: Int
  private let maximumBytes: Int
  /// The oldest first.
  private var traces: [Trace] = []
  private(set) var byteCount = 0

  /// - Parameters:
  ///   - maximumFiles: traces that are kept.
  ///   - maximumBytes: their size together.
  init(maximumFiles: Int, maximumBytes: Int) {
    self.maximumFiles = maximumFiles
    self.maximumBytes = maximumBytes
  }

  /// Whether a file's name is that of a server's trace.
  static func isTrace(_ name: String) -> Bool { name.wholeMatch(of: /[0-9a-f]*_server(_[0-9]+)?\.sqlog/) != nil }

  /// Takes in the traces that were there before, the oldest first; answers the names of those to remove.
  mutating func begin(_ found: [(name: String, byteCount: Int)]) -> [String] {
    traces = found.map { Trace(name: $0.name, byteCount: $0.byteCount, isOpen: false) }
    byteCount = found.reduce(0) { $0 + $1.byteCount }
    return removeOldest(files: 0, bytes: 0)
  }

  /// Makes room for one more trace; answers the names of those to remove, and whether there is room then.
  mutating func makeRoomForTrace() -> (removed: [String], hasRoom: Bool) {
    let removed = removeOldest(files: 1, bytes: 1)
    return (removed, traces.count < maximumFiles && byteCount < maximumBytes)
  }

  mutating func didOpen(_ name: String) { traces.append(Trace(name: name, byteCount: 0, isOpen: true)) }

  /// Makes room for bytes of an open trace, and counts them where there is some then.
  mutating func write(_ count: Int, to name: String) -> (removed: [String], hasRoom: Bool) {
    let removed = removeOldest(files: 0, bytes: count)
    guard maximumBytes - byteCount >= count, let index = place(of: name) else {
      return (removed, false)
    }
    traces[index].byteCount += count
    byteCount += count
    return (removed, true)
  }

  mutating func didClose(_ name: String) {
    if let index = place(of: name) { traces[index].isOpen = false }
  }

  /// Looked for from the end, as those that are written are among the newest.
  private func place(of name: String) -> Int? { traces.lastIndex { $0.name == name } }

  /// Forgets the oldest that nobody writes, until so many more files and bytes would be within the limits.
  private mutating func removeOldest(files: Int, bytes: Int) -> [String] {
    var removed: [String] = []
    while traces.count > maximumFiles - files || byteCount > maximumBytes - bytes,
      let index = traces.firstIndex(where: { !$0.isOpen })
    {
      removed.append(traces[index].name)
      byteCount -= traces[index].byteCount
      traces.remove(at: index)
    }
    return removed
  }
}
