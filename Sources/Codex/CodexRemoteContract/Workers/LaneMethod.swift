/// The methods of codex that a worker's client may ask for, whatever runs codex.
package enum LaneMethod: String, CaseIterable, Sendable {
  case threadStart = "thread/start"
  case threadResume = "thread/resume"
  case turnStart = "turn/start"
  case turnInterrupt = "turn/interrupt"
  case threadList = "thread/list"
  case threadRead = "thread/read"

  /// Whether performing it a second time does no harm where the outcome of the first is unknown: a message that
  /// comes again under its id starts no second turn.
  package var isRepeatable: Bool {
    switch self {
    case .threadStart: false
    case .threadResume, .turnStart, .turnInterrupt, .threadList, .threadRead: true
    }
  }

  /// The names, as a request has them.
  package static let names = allCases.map(\.rawValue)
}
