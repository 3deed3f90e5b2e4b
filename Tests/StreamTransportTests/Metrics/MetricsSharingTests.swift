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
    let cache = MetricsCache()
    let factory = CountingFactory()
    _ = cache.metrics(of: factory)
    let once = factory.count
    #expect(once > 0)
    _ = cache.metrics(of: factory)
    #expect(factory.count == once)
  }

  @Test func anotherBackendHasHandlesOfItsOwn() {
    let cache = MetricsCache()
    for _ in 0..<3 {
      let factory = CountingFactory()
      _ = cache.metrics(of: factory)
      #expect(factory.count > 0)
    }
  }
}
