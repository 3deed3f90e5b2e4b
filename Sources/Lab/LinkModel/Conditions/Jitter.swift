package enum Jitter: Codable, Hashable, Sendable {
  /// Added delay, evenly between 0 and the maximum.
  case uniform(maximumMilliseconds: Double)
  /// Added delay with many small and few large values (exponential, cut at the maximum).
  case rightSkewed(meanMilliseconds: Double, maximumMilliseconds: Double)
}
