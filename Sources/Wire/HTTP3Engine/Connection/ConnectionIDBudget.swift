/// A limit on the connection ids that a peer may give before our retirements are known to have arrived.
///
/// The library (1.11, and 1.25 still) remembers up to 16 ids for which RETIRE_CONNECTION_ID is not acknowledged, and asserts
/// in ngtcp2_conn.c:9140 and 9151 that a packet on a new path does not add one more. Each id that is remembered came in a
/// NEW_CONNECTION_ID, or is the handshake's.
struct ConnectionIDBudget {
  private static let places = 15
  /// Ids that may be in use at once: `active_connection_id_limit`, and that of a path being validated.
  private static let mostInUse = 8

  /// The connection ids of one packet.
  struct Gift {
    private var count = 0
    private var lowest = UInt64.max
    private var retirePriorTo: UInt64 = 0

    mutating func add(_ sequence: UInt64, retirePriorTo: UInt64) {
      count += 1
      lowest = min(lowest, sequence)
      self.retirePriorTo = max(self.retirePriorTo, retirePriorTo)
    }

    /// Whether they are more than `active_connection_id_limit` allows by themselves (RFC 9000 § 5.1.1).
    var isBeyondLimit: Bool { count > ConnectionIDBudget.activeLimit && retirePriorTo <= lowest }
  }

  /// The transport parameter `active_connection_id_limit` of ours.
  static let activeLimit = 7
  /// Frames beyond the budget that an honest peer may come to: it sends again what counts as lost.
  private static let patience = 64

  enum Verdict {
    case within
    /// One too many now; it may come again later.
    case tooSoon
    case flood
  }

  private var inUse = 1
  /// The sequence numbers that came since the last refill: the library keeps one of them once, however often it comes.
  private var given: [UInt64] = []
  private var beyond = 0

  /// Counts a NEW_CONNECTION_ID; one that is sent again counts once.
  mutating func spend(_ sequence: UInt64) -> Verdict {
    if given.contains(sequence) { return .within }
    guard inUse + given.count >= Self.places else {
      given.append(sequence)
      return .within
    }
    beyond += 1
    return beyond <= Self.patience ? .tooSoon : .flood
  }

  /// Every RETIRE_CONNECTION_ID was acknowledged. An id that comes once more after that counts again, as the library has
  /// forgotten that it was retired.
  mutating func refill() {
    beyond = 0
    guard !given.isEmpty else { return }
    inUse = min(inUse + given.count, Self.mostInUse)
    given.removeAll(keepingCapacity: true)
  }
}
