/// How many requests are admitted: a burst at once, then one in each interval.
package struct RequestRate: Hashable, Sendable {
  package var burst: Int
  package var interval: Duration

  package init(burst: Int, interval: Duration) {
    self.burst = burst
    self.interval = interval
  }

  /// What is remembered of the requests: when all that was admitted will be made up for.
  struct Account: Hashable, Sendable {
    private(set) var paidAt: Duration

    init(now: Duration) { paidAt = now }

    func isClear(now: Duration) -> Bool { paidAt <= now }

    /// How long the next request has to wait; zero or less where it need not.
    func wait(for rate: RequestRate, now: Duration) -> Duration {
      max(paidAt, now) - now - rate.interval * (rate.burst - 1)
    }

    mutating func charge(for rate: RequestRate, now: Duration) { paidAt = max(paidAt, now) + rate.interval }
  }
}
