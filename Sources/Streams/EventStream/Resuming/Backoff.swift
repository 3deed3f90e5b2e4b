/// The wait before the next attempt: exponential with jitter between a floor and a ceiling, obedient to the server.
///
/// The wait after failure n (from 1) is drawn from [max(floor, what the server asks), min(ceiling, base · 2ⁿ)]. The
/// draw spreads clients that lost the same server over the whole interval; it never undercuts the server's wish.
public struct Backoff: Equatable, Sendable {
  /// The bounds of every wait.
  public let configuration: BackoffConfiguration
  /// Ends in a row since the last healthy stream.
  public private(set) var failures = 0
  /// The stream's `retry`, if it had one. It holds until the next (HTML § 9.2.6).
  public private(set) var serverRetry: Duration?
  /// The server's request for the last wait; nil for none. No reason of the client's makes that wait shorter.
  public private(set) var order: Duration?

  /// Creates a back-off that has seen no failure and no request of a server.
  public init(_ configuration: BackoffConfiguration = .init()) {
    self.configuration = configuration
  }

  /// The stream had a `retry` field.
  public mutating func serverAsked(retryMilliseconds: Int) {
    serverRetry = min(.milliseconds(max(0, retryMilliseconds)), configuration.longestOrder)
  }

  /// The time from `end` to the next attempt.
  ///
  /// Zero after a healthy stream's clean end, unless the server gave a `retry`: servers limit a response's length, and
  /// ending there is no failure. Next to nothing where the server closed the whole connection gracefully, as in a
  /// restart: another instance may be there at once, and if not, the usual waits follow. Only a healthy stream makes the
  /// count begin again, and what ends sooner waits like any failure.
  public mutating func delay(
    after end: StreamEnd, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    let wasHealthy = end.wasHealthy(for: configuration.healthyPeriod)
    if wasHealthy { failures = 0 }
    order = [serverRetry, retryAfter(end)].compactMap(\.self).max()
    if wasHealthy, let latest = longestResume(after: end) {
      return serverRetry.map { draw(from: $0, to: Self.spread($0), &generator) }
        ?? draw(from: .zero, to: latest, &generator)
    }
    failures = min(failures + 1, 62)
    return interval(&generator)
  }

  /// Everything that was learnt is forgotten, as for another server.
  public mutating func reset() {
    self = Backoff(configuration)
  }

  /// The longest wait after a graceful end; nil for any other end.
  private func longestResume(after end: StreamEnd) -> Duration? {
    switch end {
    case .clean: .zero
    case .closedGracefully: configuration.gracefulCloseSpread
    case .lost, .refused: nil
    }
  }

  private func interval(_ generator: inout some RandomNumberGenerator) -> Duration {
    let earliest = max(configuration.floor, order ?? .zero)
    // A short `retry` must not stop the doubling: it would let a server that fails be asked each second for ever.
    let doubled = doubled(max(configuration.base, serverRetry ?? .zero))
    // Where the order leaves no room below the ceiling, clients still must not return all at once.
    let latest = order == nil ? doubled : max(doubled, Self.spread(earliest))
    return draw(from: earliest, to: max(earliest, latest), &generator)
  }

  private func retryAfter(_ end: StreamEnd) -> Duration? {
    switch end {
    case .clean, .closedGracefully, .lost, .refused(retryAfter: nil): nil
    case .refused(let order?): min(max(.zero, order), configuration.longestOrder)
    }
  }

  /// `base · 2^failures`, at most the ceiling; doubled step by step because a product could overflow.
  private func doubled(_ base: Duration) -> Duration {
    var result = base
    for _ in 0..<failures where result < configuration.ceiling { result += result }
    return min(result, configuration.ceiling)
  }

  /// A quarter more: room for jitter above a wait that was ordered.
  private static func spread(_ duration: Duration) -> Duration {
    duration + duration / 4
  }

  /// Drawn in microseconds, which neither clients nor clocks tell apart more finely here.
  private func draw(
    from earliest: Duration, to latest: Duration, _ generator: inout some RandomNumberGenerator
  ) -> Duration {
    let room = (latest - earliest) / Duration.microseconds(1)
    guard room >= 1, let microseconds = Int64(exactly: room.rounded(.down)) else { return earliest }
    return earliest + .microseconds(Int64.random(in: 0...microseconds, using: &generator))
  }
}
