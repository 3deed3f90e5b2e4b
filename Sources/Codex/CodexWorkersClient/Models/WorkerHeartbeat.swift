/// The last sign of life of a worker, by the runtime's reckoning.
public struct WorkerHeartbeat: Hashable, Sendable {
  /// The runtime's judgement of a worker's last sign of life.
  public enum State: Hashable, Sendable {
    /// Younger than ``WorkerHeartbeat/staleAfter``.
    case fresh
    /// Older than that.
    case stale
    /// There was none yet.
    case missing
    /// The worker was stopped, so none is awaited.
    case stopped
    /// The worker failed, so none is awaited.
    case failed
    /// A value that this version does not know, or none.
    case unknown(String)

    init(_ word: String?) {
      self =
        switch word {
        case "fresh": .fresh
        case "stale": .stale
        case "missing": .missing
        case "stopped": .stopped
        case "failed": .failed
        default: .unknown(word ?? "")
        }
    }

    /// The contract's word.
    public var word: String {
      switch self {
      case .fresh: "fresh"
      case .stale: "stale"
      case .missing: "missing"
      case .stopped: "stopped"
      case .failed: "failed"
      case .unknown(let word): word
      }
    }
  }

  /// The runtime's judgement when it answered.
  public let state: State
  /// The server's time of the last sign, as it wrote it.
  public let lastAt: String?
  /// The time since the last sign when the server answered.
  public let age: Duration?
  /// The age from which a sign of life is stale.
  public let staleAfter: Duration

  /// A sign of life of these values.
  public init(state: State, lastAt: String?, age: Duration?, staleAfter: Duration = .seconds(120)) {
    self.state = state
    self.lastAt = lastAt
    self.age = age
    self.staleAfter = staleAfter
  }

  init(_ fields: WireObject) {
    self.init(
      state: State(fields.string("heartbeat_state")), lastAt: fields.string("last_heartbeat_at"),
      age: fields.count("heartbeat_age_ms").map { .milliseconds($0) },
      staleAfter: fields.count("heartbeat_stale_after_ms").map { .milliseconds($0) } ?? .seconds(120))
  }
}
