/// The lateness of events in round trips of the empty link, from the time at which each was due to the arrival of its
/// last byte.
struct StreamingNumbers: Codable, Hashable, Sendable {
  var events: Int
  var medianRoundTrips: Double
  var p99RoundTrips: Double
  var maximumRoundTrips: Double
  /// The longest time between two events of a stream, less their distance in the schedule.
  var longestGapMilliseconds: Double
  /// The origin's own greatest lateness; more than some milliseconds say that the machine was too slow.
  var originMilliseconds: Double
  var reconnects: Int
  var connections: Int
  var residentGrowthBytes: Int?

  /// The text of the matrix.
  var text: String {
    let lateness =
      "p50 \(Self.digits(medianRoundTrips)), p99 \(Self.digits(p99RoundTrips)), max \(Self.digits(maximumRoundTrips)) RTT"
    let gap = "gap \(Int(longestGapMilliseconds.rounded())) ms"
    let connections = "\(connections) connection\(connections == 1 ? "" : "s"), \(reconnects) reconnected"
    let memory = residentGrowthBytes.map { ", memory +\(Self.digits(Double($0) / 1_048_576)) MiB" } ?? ""
    return "\(lateness), \(gap), \(connections)\(memory)"
  }

  static func digits(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let rest = abs(hundredths % 100)
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }
}
