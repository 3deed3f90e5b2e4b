import CoreMetrics
import Synchronization

/// Adds up counters and drops everything else.
final class CountingMetrics: MetricsFactory {
  private final class Count: CounterHandler {
    private let value = Mutex<Int64>(0)
    var total: Int { Int(value.withLock { $0 }) }
    func increment(by amount: Int64) { value.withLock { $0 += amount } }
    func reset() { value.withLock { $0 = 0 } }
  }

  private struct Series {
    var label: String
    var dimensions: [(String, String)]
    var count: Count
  }

  private let series = Mutex<[Series]>([])

  /// The counters of a label that are not zero, by the value of one of their dimensions.
  func counts(of label: String, by dimension: String) -> [String: Int] {
    let pairs = series.withLock { series in
      series.filter { $0.label == label && $0.count.total > 0 }.map { one in
        (one.dimensions.first { $0.0 == dimension }?.1 ?? "", one.count.total)
      }
    }
    return Dictionary(pairs) { $0 + $1 }
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    let count = Count()
    series.withLock { $0.append(Series(label: label, dimensions: dimensions, count: count)) }
    return count
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { NOOPMetricsHandler.instance }

  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    NOOPMetricsHandler.instance
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { NOOPMetricsHandler.instance }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}
