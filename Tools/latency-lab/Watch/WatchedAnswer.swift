/// One column of `watch`: the first stream's words as they come, and how late they are.
struct WatchedAnswer: Sendable {
  /// Later than this beyond schedule and link, a word is marked; the lab's tables count the same (`late50`).
  static let lateNanoseconds: Int64 = 50_000_000

  let label: String
  /// The schedule's start on `CLOCK_MONOTONIC`; nil before the first event.
  private(set) var start: Int64?
  private let offsets: [Int64]
  private let delay: Int64
  private var shown: [Shown] = []

  /// A word with the figures up to it, so that a picture costs the same late in an answer as early.
  private struct Shown {
    var sequence: Int
    var received: Int64
    var isLate: Bool
    var lateCount: Int
    var worst: Int64
  }

  /// - Parameters:
  ///   - offsets: when the stream's events are due, in nanoseconds from the schedule's start.
  ///   - delay: the empty link's one-way delay in nanoseconds.
  init(label: String, offsets: [Int64], delay: Int64) {
    self.label = label
    self.offsets = offsets
    self.delay = delay
  }

  /// Takes an event of the client; those of other streams, and any that the schedule does not have, are not shown.
  mutating func came(_ arrival: EventArrival) {
    guard arrival.stream == 0, offsets.indices.contains(arrival.sequence), shown.count < offsets.count else { return }
    if start == nil { start = arrival.scheduled &- offsets[arrival.sequence] }
    let late = max(0, arrival.received &- arrival.scheduled &- delay)
    let isLate = late > Self.lateNanoseconds
    shown.append(
      Shown(
        sequence: arrival.sequence, received: arrival.received, isLate: isLate,
        lateCount: (shown.last?.lateCount ?? 0) + (isLate ? 1 : 0), worst: max(shown.last?.worst ?? 0, late)))
  }

  /// The column at a moment of the schedule.
  struct State: Hashable, Sendable {
    struct Word: Hashable, Sendable {
      var text: Substring
      var isLate: Bool
    }

    /// The last of the words; no screen shows more of them.
    var words: [Word] = []
    /// All words so far.
    var count = 0
    /// Words that could have been here over a link that loses nothing.
    var behind = 0
    var lateCount = 0
    /// The largest lateness so far, in milliseconds.
    var worstMilliseconds = 0.0
  }

  /// - Parameter elapsed: nanoseconds since the schedule's start.
  func state(at elapsed: Int64) -> State {
    var state = State()
    guard let start else { return state }
    state.count = shown.prefixCount { $0.received &- start <= elapsed }
    // In steps, so that the lines break at the same words from picture to picture.
    let first = max(0, state.count / Self.wordStep - 1) * Self.wordStep
    state.words = shown[first..<state.count].map { .init(text: WatchedText.word($0.sequence), isLate: $0.isLate) }
    if let last = shown[..<state.count].last {
      state.lateCount = last.lateCount
      state.worstMilliseconds = Double(last.worst) / 1e6
    }
    state.behind = max(0, offsets.prefixCount { $0 <= elapsed &- delay } - state.count)
    return state
  }

  private static let wordStep = 1_000
}

extension RandomAccessCollection where Index == Int {
  /// The number of leading elements that satisfy a predicate, in a collection where none behind them does.
  fileprivate func prefixCount(where isInPrefix: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isInPrefix(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low - startIndex
  }
}
