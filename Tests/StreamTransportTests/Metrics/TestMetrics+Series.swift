import Metrics
import MetricsTestKit

extension TestMetrics {
  /// The counts by the name without its prefix; zeros are left out.
  func counts(of name: String) -> [String: Int64] {
    let counters = counters(label: "agent_stream_\(name)_total")
    let counts = counters.map { (Self.words($0.dimensions), $0.totalValue) }.filter { $0.1 != 0 }
    return Dictionary(counts) { $0 + $1 }
  }

  /// A gauge's level, by the name without its prefix; 0 before it has ever moved.
  func level(of name: String) -> Double {
    (try? expectMeter("agent_stream_\(name)"))?.values.last ?? 0
  }

  /// The recorded times, in nanoseconds.
  func times(of name: String, _ dimensions: [(String, String)]) throws -> [Int64] {
    try expectTimer("agent_stream_\(name)_seconds", dimensions).values
  }

  /// The dimensions' values, such as `h3 streamReset`.
  private static func words(_ dimensions: [(String, String)]) -> String {
    dimensions.map(\.1).joined(separator: " ")
  }
}

func nanoseconds(_ duration: Duration) -> Int64 {
  let (seconds, attoseconds) = duration.components
  return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
}
