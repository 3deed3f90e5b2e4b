/// How much longer a feed's rests are than where its process keeps up.
///
/// A rest that is over late shows that there is more to do than there is time: the next ones are longer, and what comes
/// meanwhile is handed on in fewer and larger pieces, each of which costs about the same. Rests that are over in time make
/// them short again.
struct FeedStrain {
  private static let most = 4.0

  /// What a rest is multiplied by: 1 where the process keeps up.
  private(set) var factor = 1.0

  /// A rest has taken so long.
  mutating func rested(_ rest: Duration, in time: Duration) {
    // A timer is late by a millisecond or two on an idle machine, too.
    let isLate = time - rest > max(rest / 4, .milliseconds(3))
    factor = isLate ? min(factor * 1.5, Self.most) : max(factor * 0.95, 1)
  }
}
