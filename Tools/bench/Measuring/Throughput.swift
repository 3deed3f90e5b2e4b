/// Times work over a known number of bytes.
enum Throughput {
  /// Megabytes (10⁶ bytes) per second of one run of `work`.
  static func megabytesPerSecond(bytes: Int, _ work: () throws -> Void) rethrows -> Double {
    let start = ContinuousClock.now
    try work()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    return Double(bytes) / 1e6 / max(seconds, 1e-9)
  }
}
