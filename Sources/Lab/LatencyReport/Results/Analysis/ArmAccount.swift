import LinkModel

/// The kept data of an arm's runs: their metrics, and values pooled over them.
struct ArmAccount {
  let description: ArmDescription
  private(set) var excess = ExcessHistogram()
  private var runs: [RunMetrics] = []
  private var toClient = LossCount()
  private var toServer = LossCount()
  private var runsWithoutEvents = 0
  private var client = ""
  private var server = ""

  init(_ description: ArmDescription) { self.description = description }

  func hasRun(_ repetition: Int) -> Bool { runs.contains { $0.repetition == repetition } }

  mutating func note(_ record: RunRecord, cameToNothing: Bool) {
    if client.isEmpty { client = record.client.software }
    if server.isEmpty { server = record.server }
    if cameToNothing { runsWithoutEvents += 1 }
  }

  mutating func keep(_ measurement: RunMeasurement) {
    runs.append(measurement.metrics)
    excess.add(measurement.excess)
    toClient.add(measurement.toClient)
    toServer.add(measurement.toServer)
  }

  func results(scenario: ScenarioSummary) -> ArmResults {
    let runs = runs.sorted { $0.repetition < $1.repetition }
    let losses = [
      toClient.judged(direction: .toClient, conditions: scenario.link.toClient),
      toServer.judged(direction: .toServer, conditions: scenario.link.toServer),
    ]
    return ArmResults(
      name: description.name, label: description.label, client: client, server: server,
      isControl: description.isControl, notes: description.notes,
      runs: runs, realisedLoss: toClient.packets + toServer.packets > 0 ? losses : [],
      runsWithoutEvents: runsWithoutEvents)
  }
}
