import LinkModel
import Synchronization

/// The observations of a crowd of readers.
final class CrowdTally: Sendable {
  private struct State {
    /// Milliseconds from an event's time to a reader, for the first event of each piece that came.
    var late = [Int](repeating: 0, count: 60_001)
    var count = 0
    var deliveries: Int64 = 0
    var pieces: Int64 = 0
    var silence = Duration.zero
    var reconnections = 0
    var failures: [String] = []
  }

  private let state = Mutex(State())

  /// A piece of a stream brought events, the first of them so late, after a silence.
  func add(events: Int, late: Duration?, silence: Duration?) {
    state.withLock { state in
      state.deliveries += Int64(events)
      state.pieces += 1
      state.silence = max(state.silence, silence ?? .zero)
      guard let late else { return }
      state.late[min(max(0, Int(late / .milliseconds(1))), 60_000)] += 1
      state.count += 1
    }
  }

  func reconnected() { state.withLock { $0.reconnections += 1 } }

  func fail(_ reason: String) { state.withLock { if $0.failures.count < 10 { $0.failures.append(reason) } } }

  var failures: [String] { state.withLock { $0.failures } }

  /// The values so far.
  var report: Report {
    state.withLock { state in
      func percentile(_ share: Double) -> Int {
        guard state.count > 0 else { return 0 }
        var left = Quantile.rank(share, of: state.count)
        for (milliseconds, count) in state.late.enumerated() {
          left -= count
          if left <= 0 { return milliseconds }
        }
        return state.late.count - 1
      }
      return Report(
        deliveries: state.deliveries, pieces: state.pieces, p50: percentile(0.5), p99: percentile(0.99),
        slowest: percentile(1), silence: Int(state.silence / .milliseconds(1)), reconnections: state.reconnections)
    }
  }

  /// Times are milliseconds.
  struct Report: Encodable {
    let deliveries: Int64
    let pieces: Int64
    let p50: Int
    let p99: Int
    let slowest: Int
    let silence: Int
    let reconnections: Int
  }
}
