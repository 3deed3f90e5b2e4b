public import Metrics

/// What transports and event sources count for an operator.
///
/// Every name begins with `agent_stream_`, counters end in `_total`, and timers measure in seconds where the backend has a
/// unit (Prometheus' naming). A `reason` is a ``TransportError/Code`` by its name. The library bootstraps nothing: without
/// a backend of the program's own nothing is counted. All handles are made here, once.
public struct TransportMetrics: Sendable {
  let http3: ProtocolMetrics
  let http1: ProtocolMetrics
  let race: RaceMetrics
  let eventSource: EventSourceMetrics

  /// - Parameter factory: makes the counters and timers; by default the backend that the program has bootstrapped.
  public init(factory: any MetricsFactory = MetricsSystem.factory) {
    http3 = ProtocolMetrics(.http3, factory)
    http1 = ProtocolMetrics(.http1, factory)
    race = RaceMetrics(factory)
    eventSource = EventSourceMetrics(factory)
  }
}
