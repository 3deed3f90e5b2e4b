/// A client's state between connections (session tickets, RFC 8446 § 4.6.1; tokens, RFC 9000 § 8.1.3), and
/// the fate of its early data (RFC 9001 § 4.6).
struct ResumptionState {
  /// The server's decision about early data, made with the handshake's end.
  enum Settlement: Equatable {
    case notOffered
    case accepted
    /// Rejected; the streams are gone on both sides.
    case rejected
  }

  private enum EarlyData {
    case notOffered
    /// Requests may be sent before the handshake, under the limits of the connection that the ticket comes from.
    case offered(PeerSettings)
    case accepted(PeerSettings)
    case rejected
  }

  /// A ticket that was read and waits for the SETTINGS that belong to it.
  private struct WaitingTicket {
    var session: [UInt8]
    var allowsEarlyData: Bool
  }

  /// Limits of what is taken of a server that may give any number, and of their sizes in bytes.
  static let ticketsTaken = 4
  static let ticketLimit = 32 << 10
  static let tokensTaken = 16
  /// Longer ones would leave no room in a first packet for much else; servers' tokens have some 100 bytes.
  static let tokenLimit = 512

  private var earlyData = EarlyData.notOffered
  /// The server's, of this handshake or of the one whose session is resumed.
  private var certificates: [[UInt8]] = []
  private var waiting: [WaitingTicket] = []
  private var ticketCount = 0
  private var tokenCount = 0
  /// Whether the ticket that is being read allows early data.
  private var nextAllowsEarlyData = false

  // MARK: Early data

  /// Whether early data was offered and the handshake has not settled it.
  var isEarlyDataOffered: Bool {
    if case .offered = earlyData { true } else { false }
  }

  /// The server's SETTINGS of the earlier connection, which hold for early data until it is refused.
  var rememberedSettings: PeerSettings? {
    switch earlyData {
    case .offered(let settings), .accepted(let settings): settings
    case .notOffered, .rejected: nil
    }
  }

  mutating func offerEarlyData(under settings: PeerSettings) { earlyData = .offered(settings) }

  /// Notes at the handshake's end whether the server took the early data.
  mutating func settle(isTaken: Bool) -> Settlement {
    guard case .offered(let settings) = earlyData else { return .notOffered }
    earlyData = isTaken ? .accepted(settings) : .rejected
    return isTaken ? .accepted : .rejected
  }

  /// Throws where the server took early data and lowers a limit that it gave for it (RFC 9114 § 7.2.4.2).
  func check(_ settings: PeerSettings) throws(HTTP3Error) {
    guard case .accepted(let remembered) = earlyData, !settings.honours(remembered) else { return }
    throw HTTP3Error(
      .application(.settingsError), "The server took early data and then lowered a limit that it had given.")
  }

  // MARK: Tickets and tokens

  /// A resumed handshake brings no certificates: those of the ticket stand in for them.
  mutating func resume(certificates: [[UInt8]]) { self.certificates = certificates }

  /// Whether another ticket is kept.
  var takesTicket: Bool { ticketCount < Self.ticketsTaken }

  /// Notes what a ticket says of early data, before TLS reads it.
  mutating func willReadTicket(allowsEarlyData: Bool) { nextAllowsEarlyData = allowsEarlyData }

  /// Keeps the session that TLS made of the ticket, unless it is too large.
  ///
  /// - Parameter certificates: those of this handshake; nil for a resumed one.
  mutating func didReadTicket(session: [UInt8], certificates: @autoclosure () -> [[UInt8]]?) {
    guard takesTicket, session.count <= Self.ticketLimit else { return }
    ticketCount += 1
    // With the first of several tickets, which share them.
    if ticketCount == 1, let certificates = certificates() { self.certificates = certificates }
    waiting.append(WaitingTicket(session: session, allowsEarlyData: nextAllowsEarlyData))
  }

  /// Takes the tickets that waited, once the SETTINGS are known that belong to them.
  ///
  /// - Parameter transportParameters: the server's, encoded; without them the tickets keep waiting.
  mutating func takeTickets(
    under settings: PeerSettings?, transportParameters: () -> [UInt8]?
  ) -> [ResumptionTicket] {
    guard let settings, !waiting.isEmpty, let parameters = transportParameters() else { return [] }
    defer { waiting = [] }
    return waiting.map {
      // Without the server's limits nothing is sent early.
      ResumptionTicket(
        session: $0.session, certificates: certificates,
        transportParameters: $0.allowsEarlyData ? parameters : [], settings: settings)
    }
  }

  /// Counts a token; false if it is too long or one too many.
  mutating func takesToken(ofLength count: Int) -> Bool {
    guard count <= Self.tokenLimit, tokenCount < Self.tokensTaken else { return false }
    tokenCount += 1
    return true
  }
}
