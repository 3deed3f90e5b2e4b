public import StreamTransport

/// The times and the tail of a ``WorkersClient``.
public struct WorkersConfiguration: Sendable {
  /// From the start of a call's connection to the last byte of its answer.
  public var callTimeout = Duration.seconds(15)
  /// The same for control requests, which the server answers when the device has.
  public var requestTimeout = Duration.seconds(45)
  /// The time that a poll of the stream asks the server to wait for events; servers have 120 s at most, proxies less.
  public var tail = Duration.seconds(20)
  /// Silence after which a stream counts as dead; it exceeds ``tail``, since a server may say nothing until its end.
  public var idleTimeout = Duration.seconds(35)
  /// The time between two looks at a worker's snapshot while its stream is watched.
  public var refreshInterval = Duration.seconds(30)
  /// The clock of attempts; tests give one whose time they move.
  public var clock = TransportClock.continuous
  /// Makes the source of the back-off's jitter, once for each watch.
  public var makeGenerator: @Sendable () -> any RandomNumberGenerator & Sendable = { SystemRandomNumberGenerator() }

  /// The contract's times.
  public init() {}
}
