/// The state of a worker's life, as the runtime says it.
public enum WorkerStatus: Hashable, Sendable {
  case starting
  case running
  case stopping
  case stopped
  case failed
  /// A word that this version does not know.
  case unknown(String)

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
