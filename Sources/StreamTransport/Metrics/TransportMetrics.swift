public import Metrics
import Synchronization

/// What transports, event sources and servers count for an operator.
///
/// Every name begins with `agent_stream_`, counters end in `_total`, and timers measure in seconds where the backend has a
/// unit (Prometheus' naming). A `reason` is a ``TransportError/Code`` by its name. The library bootstraps nothing: without
/// a backend of the program's own nothing is counted. All handles are made here, once.
public struct TransportMetrics: Sendable {
  let http3: ProtocolMetrics
  let http1: ProtocolMetrics
  let race: RaceMetrics
  let eventSource: EventSourceMetrics
  let server: ServerMetrics

  /// What was made last, for the next transport: a hundred handles take 20 KiB.
  private static let last = Mutex<(factory: any MetricsFactory, metrics: TransportMetrics)?>(nil)

  /// - Parameter factory: makes the counters and timers; by default the backend that the program has bootstrapped.
  public init(factory: any MetricsFactory = MetricsSystem.factory) {
    // A value has no identity; each copy makes handles of its own.
    guard type(of: factory) is AnyClass else {
      self = TransportMetrics(making: factory)
      return
    }
    self = Self.last.withLock { last in
      if let last, last.factory as AnyObject === factory as AnyObject { return last.metrics }
      let metrics = TransportMetrics(making: factory)
      last = (factory, metrics)
      return metrics
    }
  }

  private init(making factory: any MetricsFactory) {
    http3 = ProtocolMetrics(.http3, factory)
    http1 = ProtocolMetrics(.http1, factory)
    race = RaceMetrics(factory)
    eventSource = EventSourceMetrics(factory)
    server = ServerMetrics(factory)
  }
}
