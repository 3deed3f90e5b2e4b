/// Why a racer did not finish.
public struct RaceFailure: Hashable, Sendable {
  public var side: RaceSide
  /// The racer's own words.
  public var reason: String

  public init(side: RaceSide, reason: String) {
    self.side = side
    self.reason = reason
  }
}
