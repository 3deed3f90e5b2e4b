import CQUIC

/// What became of a client's early data (0-RTT).
enum EarlyDataState {
  case notOffered
  /// Requests may be sent before the handshake, under the limits of the connection that the ticket is of.
  case offered(PeerSettings)
  case accepted(PeerSettings)
  case rejected
}

/// A session ticket that was read.
struct WaitingTicket {
  var session: [UInt8]
  var allowsEarlyData: Bool
}

extension HTTP3Connection {
  /// Whether a request that is sent now goes out as early data: anybody may replay it to the server, so it has to be a
  /// safe one (RFC 8470 § 2.1), and the server may refuse all of it at the handshake's end; each stream then ends with
  /// `requestNotProcessed`.
  package var isSendingEarlyData: Bool {
    guard case .offered = earlyData, http != nil || http09 != nil else { return false }
    return handshake == nil && !isClosed
  }

  /// Whether the stream's request began as early data, of a handshake that was not complete: it may be a replay. A
  /// server's call.
  package func arrivedEarly(_ id: StreamID) -> Bool { earlyStreams.contains(id) }

  // MARK: A client's

  /// Takes up the session behind the ticket. A resumed handshake brings no certificates, so those of the ticket have to
  /// be good now; if they are not, or if the ticket cannot be read, the handshake is a full one.
  func resume(with ticket: ResumptionTicket) {
    guard case .client(let client) = role, let tls,
      (try? client.verifier.verify(chain: ticket.certificates, host: client.host)) != nil, tls.resume(ticket.session)
    else { return }
    certificates = ticket.certificates
    let code = ngtcp2_conn_decode_and_set_0rtt_transport_params(
      quic, ticket.transportParameters, ticket.transportParameters.count)
    guard code == 0, !ticket.transportParameters.isEmpty else { return }
    earlyData = .offered(ticket.settings)
    // Where the limits of then are too low, requests wait for the handshake, at whose end the rest is settled.
    _ = openHTTP()
  }

  /// GnuTLS read a session ticket.
  func ticketDidArrive() {
    // A ticket of another QUIC version than the one that the next connection begins with is of no use
    // (RFC 9369 § 5).
    guard let tls, ticketCount < Self.ticketsTaken, isOfFirstVersion, let session = tls.sessionData,
      session.count <= Self.ticketLimit
    else { return }
    ticketCount += 1
    // With the first of several tickets, which share them.
    if !tls.isResumed, ticketCount == 1 { certificates = tls.peerCertificates }
    waitingTickets.append(WaitingTicket(session: session, allowsEarlyData: ticketAllowsEarlyData))
    deliverTickets()
  }

  private static let ticketLimit = 32 << 10
  private static let ticketsTaken = 4
  private static let tokensTaken = 16
  /// Longer ones would leave no room in a first packet for much else; servers' tokens have some 100 bytes.
  private static let tokenLimit = 512

  /// Whether the version that was agreed on is the one that the client began with.
  var isOfFirstVersion: Bool {
    ngtcp2_conn_get_negotiated_version(quic) == ngtcp2_conn_get_client_chosen_version(quic)
  }

  func didReceiveNewToken(_ token: UnsafeBufferPointer<UInt8>) {
    guard token.count <= Self.tokenLimit, tokenCount < Self.tokensTaken, isOfFirstVersion else { return }
    tokenCount += 1
    events.append(.newTokenReceived(Array(token)))
  }

  /// Tickets wait for the SETTINGS that belong to them.
  private func deliverTickets() {
    guard let peerSettings, !waitingTickets.isEmpty else { return }
    var count: ngtcp2_ssize = 0
    let parameters = [UInt8](unsafeUninitializedCapacity: 512) { buffer, initialized in
      count = ngtcp2_conn_encode_0rtt_transport_params(quic, buffer.baseAddress, buffer.count)
      initialized = max(0, count)
    }
    guard count > 0 else { return }
    for ticket in waitingTickets {
      // Without the server's limits nothing is sent early.
      events.append(
        .ticketReceived(
          ResumptionTicket(
            session: ticket.session, certificates: certificates,
            transportParameters: ticket.allowsEarlyData ? parameters : [], settings: peerSettings)))
    }
    waitingTickets = []
  }

  /// The peer's SETTINGS; false if they break a promise.
  func settingsDidArrive(_ settings: PeerSettings) -> Bool {
    peerSettings = settings
    if case .accepted(let remembered) = earlyData, !settings.upholds(remembered) {
      pendingFailure = HTTP3Error(
        .application(.settingsError), "The server took early data and then lowered a limit that it had given.")
      return false
    }
    events.append(.settingsReceived)
    deliverTickets()
    return true
  }

  /// At the handshake's end: whether the server took the early data. If not, its streams are gone on both sides.
  func settleEarlyData() -> Bool {
    guard case .offered(let remembered) = earlyData else { return true }
    if tls?.tookEarlyData == true {
      earlyData = .accepted(remembered)
      return true
    }
    earlyData = .rejected
    guard ngtcp2_conn_tls_early_data_rejected(quic) == 0 else { return false }
    if let http { nghttp3_conn_del(http) }
    http = nil
    http09?.removeAll()
    endsHeldBack = []
    datagrams.removeAll()
    qlog?.earlyDataRefused()
    let reason = HTTP3Error(
      .requestNotProcessed, side: .remote, "The server refused early data; the request may be sent again.")
    for id in streams.keys.sorted() {
      events.append(.streamReset(id, reason))
      events.append(.streamClosed(id))
    }
    streams = [:]
    return openHTTP()
  }

  // MARK: A server's

  /// Gives the client what it needs to come back soon: tickets, each good for one connection, and a token.
  func offerResumption() {
    guard case .server(let secrets) = role, let path = currentPath, isOfFirstVersion else { return }
    if secrets.tickets != nil, secrets.ticketsPerConnection > 0 { tls?.sendTickets(secrets.ticketsPerConnection) }
    offerToken(for: path)
  }

  /// Gives the client a token for its next connection from where it is now.
  func offerToken(for path: NetworkPath) {
    guard case .server(let secrets) = role, isOfFirstVersion else { return }
    let token = secrets.validation.newToken(for: path, at: lastTimestamp)
    guard !token.isEmpty else { return }
    _ = ngtcp2_conn_submit_new_token(quic, token, token.count)
  }
}
