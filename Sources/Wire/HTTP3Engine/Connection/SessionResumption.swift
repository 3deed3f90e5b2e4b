/// The inheritance between a client's connections: sessions, tokens and early data.
///
/// ``Resumption`` has the rules for a client; this applies them to one QUIC connection, and offers what a server gives.
final class SessionResumption {
  private let quic: QUICConnection
  private let mapping: StreamMapping
  private let events: EventQueue
  /// The secrets that the connections of one server share; nil for a client.
  private let secrets: ServerSecrets?
  private var state = ResumptionState()

  init(_ quic: QUICConnection, _ mapping: StreamMapping, _ events: EventQueue, secrets: ServerSecrets?) {
    self.quic = quic
    self.mapping = mapping
    self.events = events
    self.secrets = secrets
  }

  // MARK: Early data

  /// Takes up the session behind the ticket; if that fails, the handshake is a full one.
  func resume(with ticket: ResumptionTicket) {
    guard quic.tls?.resume(ticket) == true else { return }
    state.resume(certificates: ticket.certificates)
    guard quic.takeEarlyParameters(ticket.transportParameters) else { return }
    state.offerEarlyData(under: ticket.settings)
    // Where the limits of then are too low, requests wait for the handshake, at whose end the rest is settled.
    try? mapping.open()
  }

  /// Whether early data was offered and the handshake has not settled it.
  var isEarlyDataOffered: Bool { state.isEarlyDataOffered }

  /// The server's SETTINGS of the earlier connection, which hold for early data until it is refused.
  var rememberedSettings: PeerSettings? { state.rememberedSettings }

  /// Notes at the handshake's end whether the server took the early data.
  func settle(isTaken: Bool) -> ResumptionState.Settlement { state.settle(isTaken: isTaken) }

  // MARK: A client's tickets and tokens

  /// Notes what a ticket says of early data, before TLS reads it.
  func willReadTicket(allowsEarlyData: Bool) { state.willReadTicket(allowsEarlyData: allowsEarlyData) }

  /// Keeps the session that TLS made of the ticket.
  func didReadTicket() {
    guard let tls = quic.tls, state.takesTicket, quic.isOfFirstVersion, let session = tls.sessionData else { return }
    state.didReadTicket(session: session, certificates: tls.isResumed ? nil : tls.peerCertificates)
    deliverTickets()
  }

  /// Takes the server's SETTINGS, which tickets wait for; throws where they fall short of those that early data was
  /// accepted under.
  func settingsDidArrive(_ settings: PeerSettings) throws(HTTP3Error) {
    try state.check(settings)
    deliverTickets()
  }

  func didReceiveNewToken(_ token: UnsafeBufferPointer<UInt8>) {
    guard quic.isOfFirstVersion, state.takesToken(ofLength: token.count) else { return }
    events.append(.newTokenReceived(Array(token)))
  }

  /// Reports the tickets whose SETTINGS are known.
  private func deliverTickets() {
    for ticket in state.takeTickets(under: mapping.peerSettings, transportParameters: { quic.earlyParameters }) {
      events.append(.ticketReceived(ticket))
    }
  }

  // MARK: A server's

  /// Gives the client what it needs to come back soon: tickets, each good for one connection, and a token.
  func offer() {
    guard let secrets, quic.isOfFirstVersion, let path = quic.path else { return }
    if secrets.tickets != nil, secrets.ticketsPerConnection > 0 { quic.tls?.sendTickets(secrets.ticketsPerConnection) }
    offerToken(for: path)
  }

  /// Gives the client a token for its next connection from where it is now.
  func offerToken(for path: NetworkPath) {
    guard let secrets, quic.isOfFirstVersion else { return }
    quic.send(token: secrets.validation.newToken(for: path, at: quic.now))
  }
}
