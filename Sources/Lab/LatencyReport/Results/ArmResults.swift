package struct ArmResults: Encodable, Hashable, Sendable {
  package var name: String
  /// For example "HTTP/3".
  package var label: String
  package var client: String
  package var server: String
  /// A control by a program that is not ours.
  package var isControl: Bool
  /// Notes for the reader: "one connection a stream", "slow client", "0-RTT: not supported".
  package var notes: [String]
  package let runs: [RunMetrics]
  /// The summary of these runs.
  package let summary: [MetricSummary]
  /// The realised loss of this arm's packets over all its kept runs, one for each direction.
  package var realisedLoss: [RealisedLoss]
  /// Runs after the warm-up in which no event arrived; they are in `discarded` too.
  package var runsWithoutEvents: Int

  package init(
    name: String, label: String, client: String, server: String, isControl: Bool, notes: [String],
    runs: [RunMetrics], realisedLoss: [RealisedLoss] = [], runsWithoutEvents: Int = 0
  ) {
    self.name = name
    self.label = label
    self.client = client
    self.server = server
    self.isControl = isControl
    self.notes = notes
    self.runs = runs
    summary = MetricSummary.all(runs)
    self.realisedLoss = realisedLoss
    self.runsWithoutEvents = runsWithoutEvents
  }
}
