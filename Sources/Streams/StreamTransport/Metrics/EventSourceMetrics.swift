import EventStream
import Metrics

/// Metrics of event sources: how often they reconnect, and how long their readers get nothing meanwhile.
struct EventSourceMetrics: Sendable {
  /// The reason why a stream ended or did not begin.
  enum Outcome: String, CaseIterable, Sendable {
    /// The server ended it gracefully, or the connection with it.
    case ended
    /// It broke off or fell silent.
    case lost
    /// There was no stream: an error, no connection, no answer.
    case refused

    init(_ end: StreamEnd) {
      switch end {
      case .clean, .closedGracefully: self = .ended
      case .lost: self = .lost
      case .refused: self = .refused
      }
    }
  }

  private let reconnects: [Outcome: Counter]
  private let gaps: [Outcome: Timer]

  init(_ factory: any MetricsFactory) {
    reconnects = Dictionary(
      uniqueKeysWithValues: Outcome.allCases.map { outcome in
        let dimensions = [("outcome", outcome.rawValue)]
        return (
          outcome,
          Counter(label: "agent_stream_event_source_reconnects_total", dimensions: dimensions, factory: factory)
        )
      })
    gaps = Dictionary(
      uniqueKeysWithValues: [Outcome.ended, .lost].map { outcome in
        let dimensions = [("outcome", outcome.rawValue)]
        return (
          outcome, Timer(label: "agent_stream_event_source_gap_seconds", dimensions: dimensions, factory: factory)
        )
      })
  }

  /// Another attempt follows.
  func reconnects(after outcome: Outcome) { reconnects[outcome]?.increment() }

  func gapEnded(after duration: Duration, _ outcome: Outcome) { gaps[outcome]?.record(duration: duration) }
}
