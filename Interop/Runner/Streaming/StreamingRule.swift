/// What a case asks for beside "every event exactly once, in order, undamaged, and the end".
struct StreamingRule: Hashable, Sendable {
  /// The most that an event may be late, counted from when it was due.
  var latestMilliseconds: Double
  /// The most that the median may be, in round trips; the way alone is half of one.
  var medianRoundTrips: Double?
  /// What the first and the last event of each stream have to come over, `h3` or `h1`; nil: either.
  var firstTransport: String? = "h3"
  var lastTransport: String? = "h3"
  /// From the client's first request until each stream is open.
  var opensWithinMilliseconds: Double?
  /// How often a stream may be opened anew, and how often each has to be.
  var reconnects: ClosedRange<Int> = 0...0
  /// What the handshake of some later connection has to be, if the server can: `resumed`, `earlyDataAccepted`.
  var resumption: Set<String> = []
  /// What the client's resident memory may have grown by.
  var residentGrowthBytes: Int?
  /// What the client's connection has to have done, where the server lets it: gone over to another address.
  var migrates = false
}
