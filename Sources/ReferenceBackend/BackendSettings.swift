/// The times and limits that a backend works by.
public struct BackendSettings: Equatable, Sendable {
  /// How often an event stream says that it lives.
  public var keepAlive: Duration
  /// How long an event stream lasts before it ends in good order; clients resume it.
  public var streamLifetime: Duration
  /// How long a session lives without a message, and its token without renewal.
  public var sessionLifetime: Duration
  /// How long events are kept; a cursor from before that is answered with 410.
  public var retention: Duration
  /// Most event streams of one session.
  public var streamsPerSession: Int
  public var turns: TurnLimits

  public init(
    keepAlive: Duration = .seconds(15), streamLifetime: Duration = .seconds(300),
    sessionLifetime: Duration = .seconds(12 * 3_600), retention: Duration = .seconds(30 * 86_400),
    streamsPerSession: Int = 64, turns: TurnLimits = TurnLimits()
  ) {
    self.keepAlive = keepAlive
    self.streamLifetime = streamLifetime
    self.sessionLifetime = sessionLifetime
    self.retention = retention
    self.streamsPerSession = streamsPerSession
    self.turns = turns
  }
}
