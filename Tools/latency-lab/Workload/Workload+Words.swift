import Foundation

extension Workload {
  /// Events that one stream has in a second, on average and without its pauses.
  var tokensPerSecond: Double {
    switch cadence {
    case .steady(let rate), .jittered(let rate, _): rate
    case .bursts(let tokens, let every): Double(tokens) / every * 1_000
    case .recorded(let offsets): Self.meanGapMilliseconds(of: offsets).map { 1_000 / $0 } ?? 1 / durationSeconds
    }
  }

  /// The mean distance of recorded offsets; nil for a single one, which is not repeated.
  static func meanGapMilliseconds(of offsets: [Double]) -> Double? {
    guard let first = offsets.first, let last = offsets.last, offsets.count > 1, last > first else { return nil }
    return (last - first) / Double(offsets.count - 1)
  }

  /// One line, as "8 staggered streams of 50 tokens/s for 5 s".
  var inWords: String {
    let besides = crossTraffic == true ? ", beside a TCP download that fills the link" : ""
    if let downloadBytes { return "a download of \(Self.size(downloadBytes))\(besides)" }
    let count = streams == 1 ? "1 stream" : "\(streams) \(isAligned ?? false ? "aligned" : "staggered") streams"
    var words = "\(count) of \(cadence.inWords) for \(Self.number(durationSeconds)) s"
    if let eventBytes, eventBytes != Self.defaultEventBytes { words += ", \(eventBytes) bytes an event" }
    if let thinking {
      words += ", silent for \(Self.time(thinking.durationMilliseconds)) after \(Self.time(thinking.startMilliseconds))"
    }
    if let tool { words += ", a tool call after \(Self.time(tool.atMilliseconds))" }
    return words + besides
  }

  /// Milliseconds below a second, seconds from there on.
  fileprivate static func time(_ milliseconds: Double) -> String {
    milliseconds < 1_000 ? "\(short(milliseconds)) ms" : "\(short(milliseconds / 1_000)) s"
  }

  /// To three significant digits.
  fileprivate static func short(_ value: Double) -> String {
    guard value > 0, value.isFinite else { return "0" }
    let digits = max(0, 2 - Int(log10(value).rounded(.down)))
    let scale = pow(10, Double(min(digits, 9)))
    return number((value * scale).rounded() / scale)
  }

  private static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1_000: "\(bytes) bytes"
    case ..<1_000_000: "\(short(Double(bytes) / 1e3)) kB"
    default: "\(short(Double(bytes) / 1e6)) MB"
    }
  }
}

extension Workload.Cadence {
  /// For example "50 tokens/s" or "8 tokens every 160 ms".
  var inWords: String {
    switch self {
    case .steady(let rate): return "\(Workload.number(rate)) tokens/s"
    case .jittered(let rate, let sigma):
      return "\(Workload.number(rate)) tokens/s with log-normal gaps (sigma \(Workload.number(sigma)))"
    case .bursts(let tokens, let every):
      return "\(tokens) \(tokens == 1 ? "token" : "tokens") every \(Workload.time(every))"
    case .recorded(let offsets):
      guard let first = offsets.first, let gap = Workload.meanGapMilliseconds(of: offsets) else {
        return "one event"
      }
      let named = RecordedCadence.allCases.first { $0.offsetsMilliseconds == offsets }
      let name = named.map { "the cadence '\($0.rawValue)'" } ?? "a recorded cadence"
      return "\(name) (\(offsets.count) tokens in \(Workload.time((offsets.last ?? first) - first)), "
        + "\(Workload.short(1_000 / gap)) tokens/s)"
    }
  }
}
