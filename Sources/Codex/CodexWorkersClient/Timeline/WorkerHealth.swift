/// A worker's badge: whether its device lives, judged by the device's own signs.
///
/// A runtime may count every event as a sign of life, a client's own too, so that a handshake with a dead device makes it
/// look alive. Where the sign that a snapshot names is another party's event, it says nothing.
public struct WorkerHealth: Sendable {
  /// The judgement on a device.
  public enum Badge: Hashable, Sendable {
    /// The device's last sign of life is so long ago, which is recent.
    case fresh(Duration)
    /// The device's last sign of life is so long ago.
    case stale(Duration)
    /// The device never gave a sign of life, or it is not known when.
    case missing
    /// The runtime alone says that it lives, and what it says may be about a client.
    case doubtful
    /// The worker was stopped, or is being stopped.
    case stopped
    /// The worker failed.
    case failed

    /// The badge's word.
    public var word: String {
      switch self {
      case .fresh: "fresh"
      case .stale: "stale"
      case .missing: "missing"
      case .doubtful: "doubtful"
      case .stopped: "stopped"
      case .failed: "failed"
      }
    }
  }

  private var snapshot: (WorkerSnapshot, at: Duration)?
  /// The time of the device's latest sign of life, by this machine's clock, while its stream was watched.
  private var heardAt: Duration?
  /// The last event that was stored when the first snapshot was taken; the age of those up to it is not known.
  private var storedSequence: Int64?
  /// The server's time of the last event that no device wrote, as it wrote it.
  private var foreignAt: String?

  /// The health of a worker of which nothing is known.
  public init() {}

  /// Takes a snapshot that was answered at this time.
  public mutating func take(_ snapshot: WorkerSnapshot, at now: Duration) {
    self.snapshot = (snapshot, now)
    if storedSequence == nil { storedSequence = snapshot.latestSequence }
  }

  /// Takes an event of the worker's stream. One that was stored before the first snapshot may be of any age, so it is no sign of
  /// life.
  public mutating func take(_ event: WorkerEvent, at now: Duration) {
    if Self.isSign(event) {
      if let storedSequence, event.sequence > storedSequence { heardAt = now }
    } else {
      foreignAt = event.occurredAt
    }
  }

  /// The badge at a time of the same clock as the others.
  public func badge(at now: Duration) -> Badge {
    guard let (snapshot, seenAt) = snapshot else { return heardAt.map { .fresh(now - $0) } ?? .missing }
    let heartbeat = snapshot.heartbeat
    switch snapshot.status {
    case .stopped, .stopping: return .stopped
    case .failed: return .failed
    case .starting, .running, .unknown: break
    }
    let own = heardAt.map { now - $0 }
    let isForeign = heartbeat.lastAt != nil && heartbeat.lastAt == foreignAt
    let reported = isForeign ? nil : heartbeat.age.map { $0 + (now - seenAt) }
    if let age = [own, reported].compactMap(\.self).min() {
      return age < heartbeat.staleAfter ? .fresh(age) : .stale(age)
    }
    switch heartbeat.state {
    case .fresh: return .doubtful
    case .stale where !isForeign: return .stale(heartbeat.staleAfter)
    case .stale, .missing, .unknown: return .missing
    case .stopped: return .stopped
    case .failed: return .failed
    }
  }

  /// Whether an event can come from the device alone.
  private static func isSign(_ event: WorkerEvent) -> Bool {
    event.type == "worker.heartbeat" || event.source == "autopilot-desktop"
  }
}
