/// The winner of a race, and the fate of the other.
package struct RaceOutcome: Hashable, Sendable {
  /// The fate of the other racer.
  package enum Loser: Hashable, Sendable {
    /// The winner was done before the head start was over.
    case notStarted
    /// It was kept out of the race, for this reason.
    case notTried(String)
    /// It was still connecting when the race was won.
    case slower
    /// It had won, and was in use until the winner was connected after all.
    case replaced
    /// It failed, for this reason, before the race was won or after.
    case failed(String)
  }

  package var winner: RaceSide
  package var loser: Loser

  package init(winner: RaceSide, loser: Loser) {
    self.winner = winner
    self.loser = loser
  }

  /// The outcome in words, with the racers called by the given names.
  ///
  /// - Parameter detail: what follows the winner's "connected", such as " after 23 ms".
  package func description(first: String, second: String, detail: String = "") -> String {
    let (winner, loser) =
      switch winner {
      case .first: (first, second)
      case .second: (second, first)
      }
    let won = "\(winner) connected\(detail)"
    return switch self.loser {
    case .notStarted: won
    case .notTried(let reason): "\(loser) was not tried: \(reason) \(won)"
    case .slower: "\(won), before \(loser)"
    case .replaced: "\(won), in place of \(loser)"
    case .failed(let reason): "\(loser) failed: \(reason) \(won)"
    }
  }
}
