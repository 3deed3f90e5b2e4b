/// The files' bits over the time from the server's first 1-RTT packet to its last, as they reached the client.
enum Goodput {
  static func kilobitsPerSecond(_ trace: Trace, bytes: Int) -> Double? {
    let times = trace.datagrams(from: .server, with: .oneRTT).map(\.time)
    guard let first = times.first, let last = times.last, last > first else { return nil }
    return Double(bytes) * 8 / ((last - first) * 1_000)
  }

  /// The text in the public runner's form: "9123 (± 45) kbps".
  static func text(_ values: [Double], unit: String) -> String {
    guard !values.isEmpty else { return "" }
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let deviation = values.count > 1 ? (squares / Double(values.count - 1)).squareRoot() : 0
    return "\(Int(mean.rounded())) (± \(Int(deviation.rounded()))) \(unit)"
  }
}
