/// Polices a rate: what exceeds it is dropped, nothing waits.
struct TokenBucket: Sendable {
  /// The bucket holds this long at the rate, but never less than `leastDepthBytes`, ten full packets.
  static let depthSeconds = 0.25
  static let leastDepthBytes = 15_000.0

  private let bytesPerNanosecond: Double
  private let depth: Double
  private var tokens: Double
  private var filledAt: Int64?

  init(rateBitsPerSecond: Double) {
    bytesPerNanosecond = rateBitsPerSecond / 8 / LinkTime.perSecond
    depth = max(Self.leastDepthBytes, rateBitsPerSecond / 8 * Self.depthSeconds)
    tokens = depth
  }

  /// Whether a packet conforms, and so takes its tokens.
  mutating func admits(_ size: Int, at now: Int64) -> Bool {
    if let filledAt { tokens = min(depth, tokens + Double(now - filledAt) * bytesPerNanosecond) }
    filledAt = now
    guard Double(size) <= tokens else { return false }
    tokens -= Double(size)
    return true
  }
}
