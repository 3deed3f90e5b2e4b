/// The sum of many runs.
package struct SessionReport: Sendable {
  /// The number of seeds that have to cover everything required.
  package static let seedsForCoverage: UInt64 = 5_000

  /// The steps, faults, transitions and observations that a campaign has to cover, or it has not looked where the faults are.
  private static let required = observations + transitions + steps + faults

  private static let observations = [
    "applied assistant_text_delta", "applied error", "applied tool_call_request", "applied turn_complete",
    "asked", "backendEnded", "backendPaused", "callExpired", "cancelled", "clientClockSet",
    "clientEnded",
    "clientRestored", "clientSuspended", "connection active", "connection failed", "connection reconnected",
    "connection reconnecting", "cursorForgotten", "decided", "eventLost", "gap", "resultSettled abandoned",
    "resultSettled accepted", "resultSettled deduplicated", "resultSettled refused", "resultTaken duplicate",
    "resultTaken notPending", "several sessions", "toolCancelled", "trimmed", "turnFinished cancelled",
    "turnFinished complete", "turnFinished failed", "turnSettled cancelled", "turnSettled complete",
    "turnSettled failed", "turnSettled interrupted",
  ]

  private static let transitions = [
    "active to idle", "active to reconnecting", "connecting to active", "connecting to reconnected",
    "connecting to reconnecting", "failed to registering", "reconnected to active", "reconnected to idle",
    "reconnected to reconnecting", "reconnecting to connecting", "reconnecting to idle", "reconnecting to reconnected",
    "registering to connecting", "registering to failed",
  ].map { "connection \($0)" }

  private static let steps = [
    "cancelTurn", "cutStream", "disturbRequests", "disturbStorage", "killBackend", "killClient", "lingerStream",
    "loseEvent", "pauseBackend", "repeatEvents", "restartClient", "retry", "say", "setBackendClock", "setClientClock",
    "slowStream", "stallClient", "stopBackend", "suspendClient", "trim",
  ].map { "step \($0)" }

  private static let faults =
    StorageFault.allCases.map { "fault storage \($0)" }
    + ["message", "register", "result", "stream"].flatMap { request in
      // To register takes no token that could expire.
      RequestFate.allCases.filter { request != "register" || $0 != .expired }.map { "fault \(request) \($0)" }
    }

  package private(set) var failures: [UInt64] = []
  private var runs = 0
  private var turns = 0
  private var coverage = SessionCoverage()

  package init() {}

  package mutating func add(_ result: SessionResult) {
    runs += 1
    turns += result.coverage.counts["turnBegun"] ?? 0
    coverage.add(result.coverage)
    if !result.violations.isEmpty { failures.append(result.seed) }
  }

  /// The required steps and observations that never occurred.
  package var missing: [String] { Self.required.filter { coverage.counts[$0] == nil } }

  package func summary(after time: Duration) -> String {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let rate = seconds > 0 ? Int(Double(turns) / seconds) : 0
    let tenths = Int(seconds * 10)
    return "\(runs) sessions with \(turns) turns in \(tenths / 10).\(tenths % 10) s, \(rate) turns a second"
  }

  /// A line for each kind of step and observation.
  package var coverageTable: String {
    coverage.counts.sorted { $0.key < $1.key }.map { "\($0.value)\t\($0.key)" }.joined(separator: "\n")
  }
}
