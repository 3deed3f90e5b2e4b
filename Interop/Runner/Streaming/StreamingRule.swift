/// A case's requirements beside "every event exactly once, in order, undamaged, and the end".
struct StreamingRule: Hashable, Sendable {
  /// The most that an event may be late, counted from when it was due.
  var latestMilliseconds: Double
  /// The most that the median may be, in round trips; the way alone is half of one.
  var medianRoundTrips: Double?
  /// The protocol of the first and the last event of each stream, `h3` or `h1`; nil: either.
  var firstTransport: String? = "h3"
  var lastTransport: String? = "h3"
  /// From the client's first request until each stream is open.
  var opensWithinMilliseconds: Double?
  /// The number of times that a stream may be reopened, and the number that each has to be.
  var reconnects: ClosedRange<Int> = 0...0
  /// The required handshake of some later connection, if the server can: `resumed`, `earlyDataAccepted`.
  var resumption: Set<String> = []
  /// The limit in bytes on the growth of the client's resident memory.
  var residentGrowthBytes: Int?
  /// Whether the client's connection must have migrated to another address, where the server lets it.
  var migrates = false
}
