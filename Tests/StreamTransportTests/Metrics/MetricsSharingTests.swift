import Metrics
import StreamTransport
import Synchronization
import Testing

/// Transports of one backend count by the same handles, which are many.
@Suite struct MetricsSharingTests {
  private final class CountingFactory: MetricsFactory {
    private let made = Mutex(0)
    var count: Int { made.withLock { $0 } }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
      made.withLock { $0 += 1 }
      return NOOPMetricsHandler.instance.makeCounter(label: label, dimensions: dimensions)
    }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
      NOOPMetricsHandler.instance.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
    }

    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
      NOOPMetricsHandler.instance.makeTimer(label: label, dimensions: dimensions)
    }

    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
  }

  @Test func aBackendsHandlesAreMadeOnce() {
    let factory = CountingFactory()
    _ = TransportMetrics(factory: factory)
    let once = factory.count
    #expect(once > 0)
    // Another test may have come between with a backend of its own.
    var counts: Set<Int> = []
    for _ in 0..<20 {
      _ = TransportMetrics(factory: factory)
      counts.insert(factory.count)
    }
    #expect(counts.count < 20)
  }

  @Test func anotherBackendHasHandlesOfItsOwn() {
    for _ in 0..<20 {
      let factory = CountingFactory()
      _ = TransportMetrics(factory: factory)
      #expect(factory.count > 0)
    }
  }
}
