import EventLedger

/// The device's condition by its heartbeats.
enum HeartbeatState: String, Sendable {
  case fresh
  case stale
  /// The worker never had a heartbeat.
  case missing
  case stopped
  case failed

  /// The time without a heartbeat after which a worker counts as gone.
  static let staleAfter = Duration.seconds(120)

  init(status: RuntimeWorkerStatus?, heartbeatAt: WallTime?, now: WallTime) {
    switch status {
    case .stopped: self = .stopped
    case .failed: self = .failed
    case .starting, .running, .stopping, nil:
      guard let heartbeatAt else {
        self = .missing
        return
      }
      self = heartbeatAt.duration(to: now) <= Self.staleAfter ? .fresh : .stale
    }
  }

  /// Whole milliseconds since a heartbeat; zero for one that another machine's clock puts into the future.
  static func age(of heartbeat: WallTime, now: WallTime) -> Int64 {
    max(0, now.microseconds - heartbeat.microseconds) / 1_000
  }
}
