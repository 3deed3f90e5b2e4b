/// The reason for which a racer did not finish.
package struct RaceFailure: Hashable, Sendable {
  package var side: RaceSide
  /// The racer's own words.
  package var reason: String

  package init(side: RaceSide, reason: String) {
    self.side = side
    self.reason = reason
  }
}
