import CQUIC

extension HTTP3Connection {
  /// Whether a request that is sent now goes out as early data: anybody may replay it to the server, so it has to be a
  /// safe one (RFC 8470 § 2.1), and the server may refuse all of it at the handshake's end; each stream then ends with
  /// `requestNotProcessed`.
  package var isSendingEarlyData: Bool {
    guard resumption.isEarlyDataOffered, mapping.isOpen else { return false }
    return handshake == nil && !isClosed
  }

  /// Whether the stream's request began as early data, of a handshake that was not complete: it may be a replay. A
  /// server's call.
  package func arrivedEarly(_ id: StreamID) -> Bool { mapping.arrivedEarly(id) }

  // MARK: A client's

  /// Takes up the session behind the ticket. A resumed handshake brings no certificates, so those of the ticket have to
  /// be good now; if they are not, or if the ticket cannot be read, the handshake is a full one.
  func resume(with ticket: ResumptionTicket) {
    guard case .client(let client) = role, let tls,
      (try? client.verifier.verify(chain: ticket.certificates, host: client.host)) != nil, tls.resume(ticket.session)
    else { return }
    resumption.resume(certificates: ticket.certificates)
    let code = ngtcp2_conn_decode_and_set_0rtt_transport_params(
      quic, ticket.transportParameters, ticket.transportParameters.count)
    guard code == 0, !ticket.transportParameters.isEmpty else { return }
    resumption.offerEarlyData(under: ticket.settings)
    // Where the limits of then are too low, requests wait for the handshake, at whose end the rest is settled.
    try? mapping.open()
  }

  /// GnuTLS read a session ticket.
  func ticketDidArrive() {
    // A ticket of another QUIC version than the one that the next connection begins with is of no use
    // (RFC 9369 § 5).
    guard let tls, resumption.takesTicket, isOfFirstVersion, let session = tls.sessionData else { return }
    resumption.didReadTicket(session: session, certificates: tls.isResumed ? nil : tls.peerCertificates)
    deliverTickets()
  }

  /// Whether the version that was agreed on is the one that the client began with.
  var isOfFirstVersion: Bool {
    ngtcp2_conn_get_negotiated_version(quic) == ngtcp2_conn_get_client_chosen_version(quic)
  }

  func didReceiveNewToken(_ token: UnsafeBufferPointer<UInt8>) {
    guard isOfFirstVersion, resumption.takesToken(ofLength: token.count) else { return }
    events.append(.newTokenReceived(Array(token)))
  }

  /// Reports the tickets whose SETTINGS are known.
  private func deliverTickets() {
    for ticket in resumption.takeTickets(under: mapping.peerSettings, transportParameters: encodedTransportParameters) {
      events.append(.ticketReceived(ticket))
    }
  }

  /// The server's limits, as far as early data is bound to them (RFC 9000 § 7.4.1).
  private func encodedTransportParameters() -> [UInt8]? {
    var count: ngtcp2_ssize = 0
    let parameters = [UInt8](unsafeUninitializedCapacity: 512) { buffer, initialized in
      count = ngtcp2_conn_encode_0rtt_transport_params(quic, buffer.baseAddress, buffer.count)
      initialized = max(0, count)
    }
    return count > 0 ? parameters : nil
  }

  /// The peer's SETTINGS have come, which may break a promise.
  func settingsDidArrive(_ settings: PeerSettings) throws(HTTP3Error) {
    if resumption.isBroken(by: settings) {
      throw HTTP3Error(
        .application(.settingsError), "The server took early data and then lowered a limit that it had given.")
    }
    deliverTickets()
  }

  /// Begins anew where the server refused early data, whose streams are gone on both sides.
  func dropEarlyRequests() throws(HTTP3Error) {
    let code = ngtcp2_conn_tls_early_data_rejected(quic)
    guard code == 0 else {
      throw HTTP3Error(.transport(.internalError), "Taking early data back failed: \(Self.message(code)).")
    }
    datagrams.removeAll()
    qlog?.earlyDataRefused()
    try mapping.restart(
      HTTP3Error(.requestNotProcessed, side: .remote, "The server refused early data; the request may be sent again."))
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
