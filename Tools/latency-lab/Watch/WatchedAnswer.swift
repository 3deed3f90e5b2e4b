/// One column of `watch`: the first stream's words as they come, and how late they are.
struct WatchedAnswer: Sendable {
  /// Later than this beyond schedule and link, a word is marked; the lab's tables count the same (`late50`).
  static let lateNanoseconds: Int64 = 50_000_000

  let label: String
  /// The schedule's start on `CLOCK_MONOTONIC`; nil before the first event.
  private(set) var start: Int64?
  private let offsets: [Int64]
  private let delay: Int64
  private var arrivals: [Arrival] = []

  /// - Parameters:
  ///   - offsets: when the stream's events are due, in nanoseconds from the schedule's start.
  ///   - delay: the empty link's one-way delay in nanoseconds.
  init(label: String, offsets: [Int64], delay: Int64) {
    self.label = label
    self.offsets = offsets
    self.delay = delay
  }

  /// Takes an event of the client; those of other streams, and any that the schedule does not have, are not shown.
  mutating func came(_ arrival: Arrival) {
    guard arrival.stream == 0, offsets.indices.contains(arrival.sequence), arrivals.count < offsets.count else {
      return
    }
    if start == nil { start = arrival.scheduled &- offsets[arrival.sequence] }
    arrivals.append(arrival)
  }

  /// The column at a moment of the schedule.
  struct State: Hashable, Sendable {
    struct Word: Hashable, Sendable {
      var text: Substring
      var isLate: Bool
    }

    var words: [Word] = []
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
    for arrival in arrivals where arrival.received &- start <= elapsed {
      let late = max(0, arrival.received &- arrival.scheduled &- delay)
      let isLate = late > Self.lateNanoseconds
      state.words.append(.init(text: WatchedText.word(arrival.sequence), isLate: isLate))
      if isLate { state.lateCount += 1 }
      state.worstMilliseconds = max(state.worstMilliseconds, Double(late) / 1e6)
    }
    let due = offsets.count { $0 <= elapsed &- delay }
    state.behind = max(0, due - state.words.count)
    return state
  }
}
