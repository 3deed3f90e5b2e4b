/// The counts of what was met: steps of schedules, and observations by their kinds.
package struct SessionCoverage: Sendable {
  private(set) package var counts: [String: Int] = [:]

  init(_ schedule: SessionSchedule) {
    for step in schedule.steps { add("step \(Self.name(of: step.event))") }
  }

  package init() {}

  mutating func count(_ observation: Observation) {
    switch observation {
    case .connection(let state): add("connection \(state)")
    case .turnFinished(_, _, let status, _, _): add("turnFinished \(status)")
    case .turnSettled(_, let status, _): add("turnSettled \(status)")
    case .resultTaken(_, _, _, _, let verdict): add("resultTaken \(verdict)")
    case .eventApplied(_, _, let type): add("applied \(type)")
    case .fault(let fault): add("fault \(fault)")
    case .resultSettled(_, let outcome): add("resultSettled \(outcome.prefix { $0 != "(" })")
    default: add(observation.name)
    }
  }

  /// A run in which several sessions shared the backends.
  mutating func countWorldOfSessions() { add("several sessions") }

  private mutating func add(_ name: String) { counts[name, default: 0] += 1 }

  package mutating func add(_ other: SessionCoverage) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// The name of an enum's case.
  private static func name(of event: SessionStep.Event) -> String { String("\(event)".prefix { $0 != "(" }) }
}
