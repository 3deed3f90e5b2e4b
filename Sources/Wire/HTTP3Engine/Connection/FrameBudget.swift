/// A limit on packets and frames that bring nothing: PING, MAX_STREAM_DATA, PATH_CHALLENGE and their like, acknowledgements,
/// streams' bytes that came before.
///
/// All are allowed, each costs its reader work, and a packet holds up to 1 400 of them (as with HTTP/2, CVE-2019-9512 and its
/// siblings). A packet costs one, and so does each frame in it that carries no data; new data earns, in both directions: a
/// client that acknowledges each datagram of ours by itself, with two new windows beside it, spends three of the four that
/// the datagram has earned.
///
/// Data earns once it is in order. Until a gap is filled a window full of it may come that earns nothing, for which there is
/// room beside the limit.
struct FrameBudget {
  /// The limits at once, beside what a window has room for, and in the long run, apart from what data earns.
  static let burst = 10_000
  static let perSecond = 1_000
  private static let earnedBySending = 4
  /// Received bytes that earn one; each piece earns one besides.
  private static let bytesPerEarning = 512

  /// The frames of one packet.
  struct Tally: Equatable {
    /// Frames of a packet with data, or ranges of an acknowledgement, that come with it at no cost: one packet may well answer
    /// for many streams and gaps.
    private static let (freeData, rangesPerCost) = (16, 64)

    /// Frames that carry no data, apart from acknowledgements and padding.
    var control = 0
    /// STREAM, CRYPTO and DATAGRAM frames.
    var data = 0
    /// Ranges of acknowledgements.
    var ranges = 0

    var cost: Int { 1 + control + max(0, data - Self.freeData) + ranges / Self.rangesPerCost }
  }

  private var budget: GlitchBudget

  /// - Parameter window: bytes that may wait behind one gap.
  init(window: UInt64 = 0) {
    let packets = Int(clamping: window / UInt64(Self.bytesPerEarning))
    budget = GlitchBudget(burst: Self.burst + packets, perSecond: Self.perSecond)
  }

  /// Counts a packet; false where it is one too many.
  mutating func spend(_ tally: Tally, at now: Timestamp) -> Bool { budget.spend(tally.cost, at: now) }

  /// Counts a packet of ours with data in it, which the peer has to answer.
  mutating func didSendData() { budget.earn(Self.earnedBySending) }

  /// Counts data that had not come before.
  mutating func didReceive(byteCount: Int) { budget.earn(1 + byteCount / Self.bytesPerEarning) }
}
