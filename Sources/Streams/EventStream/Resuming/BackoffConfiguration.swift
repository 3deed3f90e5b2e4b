/// The times of ``Backoff``.
public struct BackoffConfiguration: Hashable, Sendable {
  /// No two attempts are closer, but for one resume after a healthy stream that the server ended gracefully.
  public var floor: Duration
  /// The first wait, which doubles with every failure; a longer `retry` of the server takes its place.
  public var base: Duration
  /// No wait of our own choice is longer.
  public var ceiling: Duration
  /// The time after which a stream counts as healthy. A response alone proves nothing: a server may accept and close.
  public var healthyPeriod: Duration
  /// The longest wait that a server may order by `retry` or `Retry-After`.
  public var longestOrder: Duration
  /// The longest wait after a healthy stream whose connection the server closed gracefully. It did so to all of its
  /// clients at once, and their handshakes should not come at once.
  public var gracefulCloseSpread: Duration

  /// Negative times count as zero, and the ceiling is at least the floor.
  public init(
    floor: Duration = .seconds(1), base: Duration = .seconds(1), ceiling: Duration = .seconds(30),
    healthyPeriod: Duration = .seconds(5), longestOrder: Duration = .seconds(300),
    gracefulCloseSpread: Duration = .milliseconds(250)
  ) {
    self.floor = max(.zero, floor)
    self.base = max(.zero, base)
    self.ceiling = max(ceiling, self.floor)
    self.healthyPeriod = max(.zero, healthyPeriod)
    self.longestOrder = max(.zero, longestOrder)
    self.gracefulCloseSpread = max(.zero, gracefulCloseSpread)
  }
}
