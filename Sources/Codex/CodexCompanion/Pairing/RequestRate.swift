/// A limit on the rate of requests: a burst at once, then one in each interval.
package struct RequestRate: Hashable, Sendable {
  package var burst: Int
  package var interval: Duration

  package init(burst: Int, interval: Duration) {
    self.burst = burst
    self.interval = interval
  }

  /// The time at which all admitted requests will be made up for.
  struct Account: Hashable, Sendable {
    private(set) var paidAt: Duration

    init(now: Duration) { paidAt = now }

    func isClear(now: Duration) -> Bool { paidAt <= now }

    /// The wait before the next request; zero or less where it need not wait.
    func wait(for rate: RequestRate, now: Duration) -> Duration {
      max(paidAt, now) - now - rate.interval * (rate.burst - 1)
    }

    mutating func charge(for rate: RequestRate, now: Duration) { paidAt = max(paidAt, now) + rate.interval }
  }
}
