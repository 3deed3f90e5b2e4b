/// Who won a race, and what became of the other.
public struct RaceOutcome: Hashable, Sendable {
  /// The state of the other racer when the race was won.
  public enum Loser: Hashable, Sendable {
    /// The winner was done before the head start was over.
    case notStarted
    /// It was still connecting, and was closed.
    case slower
    /// It had failed, for this reason.
    case failed(String)
  }

  public var winner: RaceSide
  public var loser: Loser

  public init(winner: RaceSide, loser: Loser) {
    self.winner = winner
    self.loser = loser
  }

  /// The outcome in words, with the racers called by the given names.
  public func description(first: String, second: String) -> String {
    let (won, lost) =
      switch winner {
      case .first: (first, second)
      case .second: (second, first)
      }
    return switch loser {
    case .notStarted: "\(won) connected within its head start"
    case .slower: "\(won) connected before \(lost)"
    case .failed(let reason): "\(won) connected; \(lost) failed: \(reason)"
    }
  }
}
