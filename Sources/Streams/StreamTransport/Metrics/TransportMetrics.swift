public import Metrics
import Synchronization

/// Counters of transports, event sources and servers for an operator.
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

  /// - Parameter factory: makes the counters and timers; by default the backend that the program has bootstrapped.
  public init(factory: any MetricsFactory = MetricsSystem.factory) {
    self = MetricsCache.shared.metrics(of: factory)
  }

  fileprivate init(making factory: any MetricsFactory) {
    http3 = ProtocolMetrics(.http3, factory)
    http1 = ProtocolMetrics(.http1, factory)
    race = RaceMetrics(factory)
    eventSource = EventSourceMetrics(factory)
    server = ServerMetrics(factory)
  }
}

/// Keeps the last handles for the next transport: a hundred take 20 KiB.
package final class MetricsCache: Sendable {
  static let shared = MetricsCache()

  private let last = Mutex<(factory: any MetricsFactory, metrics: TransportMetrics)?>(nil)

  package init() {}

  package func metrics(of factory: any MetricsFactory) -> TransportMetrics {
    // A value has no identity; each copy makes handles of its own.
    guard type(of: factory) is AnyClass else { return TransportMetrics(making: factory) }
    return last.withLock { last in
      if let last, last.factory as AnyObject === factory as AnyObject { return last.metrics }
      let metrics = TransportMetrics(making: factory)
      last = (factory, metrics)
      return metrics
    }
  }
}
