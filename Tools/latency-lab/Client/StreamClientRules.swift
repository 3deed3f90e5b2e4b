import EventStream

/// The rules that all our arms share, so that only the protocol differs.
enum StreamClientRules {
  /// 250 ms after the first break, then doubling to 2 s with jitter; a stream of 5 s begins again.
  static let backoff = BackoffConfiguration(
    floor: .milliseconds(250), base: .milliseconds(125), ceiling: .seconds(2))

  /// The folder that a server hands on to the origin: the servers of `Interop/peers` have files above it.
  static let folder = "/o"

  static func path(of stream: Int, start: Int64, from sequence: Int) -> String {
    "\(folder)/stream/\(stream)?start=\(start)&from=\(sequence)"
  }

  static func toolPath(of stream: Int, start: Int64) -> String { "\(folder)/tool/\(stream)?start=\(start)" }

  static func downloadPath(_ count: Int) -> String { "\(folder)/bytes?count=\(count)" }

  /// The sequence to continue with after an event with this id; empty: from the beginning.
  static func next(after id: String) -> Int {
    guard let last = Int(id), (0..<Int.max).contains(last) else { return 0 }
    return last + 1
  }

  /// An event of the origin is small; another answer must not fill the memory.
  static let limits = EventStreamLimits(line: 1 << 17, event: 1 << 17, buffered: 1 << 18)
}
