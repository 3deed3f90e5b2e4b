/// Another experiment in short, shown beside this one: its scenario, its arms' summaries, its headline pair.
package struct Companion: Codable, Hashable, Sendable {
  package var scenario: ScenarioSummary
  package var verdict: String
  package var arms: [Arm]
  /// Of the headline pair alone.
  package var comparisons: [Comparison]

  package init(scenario: ScenarioSummary, verdict: String, arms: [Arm], comparisons: [Comparison]) {
    self.scenario = scenario
    self.verdict = verdict
    self.arms = arms
    self.comparisons = comparisons
  }

  package init(_ results: ExperimentResults) {
    let headline = results.comparisons.first
    self.init(
      scenario: results.scenario, verdict: results.header.verdict,
      arms: results.arms.map { Arm(name: $0.name, label: $0.label, server: $0.server, summary: $0.summary) },
      comparisons: results.comparisons.filter { $0.baseline == headline?.baseline && $0.arm == headline?.arm })
  }

  package struct Arm: Codable, Hashable, Sendable {
    package var name: String
    package var label: String
    package var server: String
    package var summary: [MetricSummary]

    package init(name: String, label: String, server: String, summary: [MetricSummary]) {
      self.name = name
      self.label = label
      self.server = server
      self.summary = summary
    }
  }
}
