import Metrics

/// Metrics of races between HTTP/3 and HTTP/1.1; one that its callers left is not counted.
struct RaceMetrics: Sendable {
  private let won: [TransportKind: Counter]
  private let lost: Counter

  init(_ factory: any MetricsFactory) {
    func counter(_ winner: String) -> Counter {
      Counter(label: "agent_stream_races_total", dimensions: [("winner", winner)], factory: factory)
    }
    won = Dictionary(uniqueKeysWithValues: TransportKind.allCases.map { ($0, counter($0.rawValue)) })
    lost = counter("none")
  }

  func raceWon(by winner: TransportKind) { won[winner]?.increment() }
  func raceLost() { lost.increment() }
}
