/// Another experiment in short, shown beside this one: its scenario, its verdict, its arms' summaries.
package struct CompanionExperiment: Encodable, Hashable, Sendable {
  package var scenario: ScenarioSummary
  package var verdict: String
  package var arms: [Arm]

  package init(_ results: ExperimentResults) {
    scenario = results.scenario
    verdict = results.header.verdict
    arms = results.arms.map { Arm(name: $0.name, label: $0.label, server: $0.server, summary: $0.summary) }
  }

  package struct Arm: Encodable, Hashable, Sendable {
    package var name: String
    package var label: String
    package var server: String
    package var summary: [MetricSummary]
  }
}
