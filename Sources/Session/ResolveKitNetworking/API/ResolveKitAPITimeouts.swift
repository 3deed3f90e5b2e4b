/// The time limits of the kinds of calls, from the start of a call's connection to the last byte of its answer.
public struct ResolveKitAPITimeouts: Equatable, Sendable {
  /// Compatibility check and session creation, which may have to connect first.
  public var setUp: Duration
  /// Messages, tool results and context updates.
  public var call: Duration
  /// Function registration and history, whose bodies are large.
  public var bulk: Duration

  /// Creates time limits; by default 15 s for calls and 30 s for those with large bodies.
  public init(setUp: Duration = .seconds(15), call: Duration = .seconds(15), bulk: Duration = .seconds(30)) {
    self.setUp = setUp
    self.call = call
    self.bulk = bulk
  }
}
