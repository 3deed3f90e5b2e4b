import EventStream

/// What two racing transports are called in reasons and errors.
public struct RaceNames: Hashable, Sendable {
  public var first: String
  public var second: String

  public init(first: String, second: String) {
    self.first = first
    self.second = second
  }

  subscript(side: RaceSide) -> String {
    switch side {
    case .first: first
    case .second: second
    }
  }

  /// A race's outcome in words, such as "HTTP/3 failed: … HTTP/1.1 connected after 23 ms".
  func describe(_ outcome: RaceOutcome, handshake: Duration) -> String {
    let milliseconds = (handshake / Duration.milliseconds(1)).rounded()
    let won = "\(self[outcome.winner]) connected after \(Int(exactly: milliseconds) ?? 0) ms"
    return switch outcome.loser {
    case .notStarted: won
    case .slower: "\(won), before \(self[outcome.winner.other])"
    case .failed(let reason): "\(self[outcome.winner.other]) failed: \(reason) \(won)"
    }
  }
}
