import EventLedger

/// Decides on a turn's use of the database that fails: again and again while the database is away.
package struct StorageRetry: Sendable {
  /// The consequence of a failure.
  package enum Consequence: Equatable, Sendable {
    /// The turn has to know.
    case tell(TurnCourse.Event)
    /// Try once more after a pause.
    case again(after: Duration)
  }

  /// The time that the database may be away.
  private static let patience = Duration.seconds(60)
  private static let longestPause = Duration.seconds(1)

  private var pause = Duration.milliseconds(50)

  package init() {}

  /// Does something with the database, again and again while that is away; returns what came of it, where the turn has to
  /// know.
  ///
  /// - Parameter isStopping: whether the process stops, which ends the waiting.
  static func attempt(
    isStopping: () -> Bool, _ body: () async throws -> TurnCourse.Event?
  ) async -> TurnCourse.Event? {
    var retry = StorageRetry()
    let start = ContinuousClock.now
    while true {
      do { return try await body() } catch {
        switch retry.failed(error, after: ContinuousClock.now - start) {
        case .tell(let event): return event
        case .again(let pause):
          if isStopping() { return .stopped }
          try? await Task.sleep(for: pause)
        }
      }
    }
  }

  /// - Parameter time: since the first try.
  package mutating func failed(_ error: any Error, after time: Duration) -> Consequence {
    guard let error = error as? LedgerError else { return .tell(.failed("\(error)")) }
    switch error.code {
    case .fenced, .deletedStream: return .tell(.leaseLost)
    case .unavailable, .exhausted:
      guard time < Self.patience else { return .tell(.failed("\(error)")) }
      defer { pause = min(pause * 2, Self.longestPause) }
      return .again(after: pause)
    case .leased, .unknownStream, .keyReused, .trimmed, .cursorAhead, .invalid, .database:
      return .tell(.failed("\(error)"))
    }
  }
}
