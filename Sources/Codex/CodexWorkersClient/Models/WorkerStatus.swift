/// The state of a worker's life, as the runtime says it.
public enum WorkerStatus: Hashable, Sendable {
  /// Registered, and not running yet.
  case starting
  /// It takes requests.
  case running
  /// A stop was asked for, and it still runs.
  case stopping
  /// Stopped; a registration under its id starts it again.
  case stopped
  /// Ended by itself, with an error.
  case failed
  /// A value that this version does not know.
  case unknown(String)

  /// The state of the contract's word; ``unknown(_:)`` for any other.
  public init(_ word: String) {
    self =
      switch word {
      case "starting": .starting
      case "running": .running
      case "stopping": .stopping
      case "stopped": .stopped
      case "failed": .failed
      default: .unknown(word)
      }
  }

  /// The contract's word.
  public var word: String {
    switch self {
    case .starting: "starting"
    case .running: "running"
    case .stopping: "stopping"
    case .stopped: "stopped"
    case .failed: "failed"
    case .unknown(let word): word
    }
  }
}
