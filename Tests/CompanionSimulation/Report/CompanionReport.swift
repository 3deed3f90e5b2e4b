/// The sum of many runs of the companion.
package struct CompanionReport: Sendable {
  /// The number of seeds that have to cover everything required.
  package static let seedsForCoverage: UInt64 = 1_000

  /// The steps and observations that a campaign has to cover, or it has not looked where the faults are.
  private static let required = [
    "answerIgnored", "answerTaken no", "answerTaken yes", "appended approval_cleared", "appended approval_required",
    "asked", "askedAgain", "codexEnded", "companionEnded", "companionPaused", "decisionAnswered",
    "decisionSent allow_always", "decisionSent allow_for_session", "decisionTaken answered", "decisionTaken ok",
    "decisionTaken onceOnly", "decisionTaken unconfirmed", "decisionTaken unknownApproval", "gaveUp", "kept",
    "linkCut", "ran", "ruled yes",
  ]

  package private(set) var failures: [UInt64] = []
  private var runs = 0
  private var counts: [String: Int] = [:]

  package init() {}

  package mutating func add(_ result: CompanionResult) {
    runs += 1
    counts.merge(result.counts, uniquingKeysWith: +)
    if !result.violations.isEmpty { failures.append(result.seed) }
  }

  /// The required steps and observations that never occurred.
  package var missing: [String] { Self.required.filter { counts[$0] == nil } }

  package func summary(after time: Duration) -> String {
    let tenths = Int(time / .milliseconds(100))
    return "\(runs) companions with \(counts["asked"] ?? 0) questions in \(tenths / 10).\(tenths % 10) s"
  }

  /// A line for each kind of step and observation.
  package var coverageTable: String {
    counts.sorted { $0.key < $1.key }.map { "\($0.value)\t\($0.key)" }.joined(separator: "\n")
  }
}
