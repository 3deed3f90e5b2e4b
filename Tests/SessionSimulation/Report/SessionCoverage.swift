/// The counts of what was met: steps of schedules, observations by their kinds, and the connection's transitions.
package struct SessionCoverage: Sendable {
  private(set) package var counts: [String: Int] = [:]
  /// Each session's state of the connection.
  private var states: [String: String] = [:]

  init(_ schedule: SessionSchedule) {
    for step in schedule.steps { add("step \(Self.name(of: step.event))") }
  }

  package init() {}

  /// - Parameter session: the one that it is about; nil for all.
  mutating func count(_ observation: Observation, of session: String?) {
    switch observation {
    case .connection(let state): enter(state, session ?? "")
    case .clientStarted:
      states[session ?? ""] = nil
      add(observation.name)
    case .turnFinished(_, _, let status, _, _): add("turnFinished \(status)")
    case .turnSettled(_, let status, _): add("turnSettled \(status)")
    case .resultTaken(_, _, _, _, let verdict): add("resultTaken \(verdict)")
    case .eventApplied(_, _, let type): add("applied \(type)")
    case .fault(let fault): add("fault \(fault)")
    case .resultSettled(_, let outcome): add("resultSettled \(outcome.prefix { $0 != "(" })")
    default: add(observation.name)
    }
  }

  private mutating func enter(_ state: String, _ session: String) {
    add("connection \(state)")
    if let last = states.updateValue(state, forKey: session), last != state { add("connection \(last) to \(state)") }
  }

  /// A run in which several sessions shared the backends.
  mutating func countWorldOfSessions() { add("several sessions") }

  private mutating func add(_ name: String) { counts[name, default: 0] += 1 }

  package mutating func add(_ other: SessionCoverage) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// The name of an enum's case.
  private static func name(of event: SessionStep.Event) -> String { String("\(event)".prefix { $0 != "(" }) }
}
