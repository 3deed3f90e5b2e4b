import CQUIC

/// One GnuTLS session of a QUIC connection, and the block of memory through which GnuTLS finds the connection.
///
/// Freed after the `ngtcp2_conn` that uses it.
final class TLSSession {
  let handle: gnutls_session_t?
  private let reference: UnsafeMutablePointer<CQUIC_session_ref>
  private let keyLog: (@Sendable (String) -> Void)?
  /// A peer that breaks the rules, for tests, asks for no application protocol.
  private let isRaw: Bool
  /// The judge of the peer's certificates.
  private let judge: PeerJudge
  /// The credentials that a server's session uses, and those of a client, which have to outlive it.
  private var credentials: CredentialSet?
  private var identity: LoadedCredentials?
  /// A server's tickets, and the QUIC version that they are of.
  private var tickets: (SessionTickets, version: UInt32)?
  /// Whether the client's ticket was sealed under another secret than the first: GnuTLS would seal new ones under it too.
  private var hasEarlierTicket = false

  /// - Parameter owner: GnuTLS calls it; its connection keeps the session.
  static func client(_ client: ClientConfiguration, owner: LibraryDelegate) throws(HTTP3Error) -> TLSSession {
    let session = try TLSSession(
      flags: GNUTLS_CLIENT | Int32(GNUTLS_ENABLE_EARLY_DATA.rawValue), client.connection, client.applicationProtocol,
      PeerJudge(client.verifier, host: client.host), keyLog: client.keyLog, owner: owner)
    let host = client.host
    session.identity = client.identity
    if let identity = client.identity {
      // GnuTLS shows it to a server that asks, unless it names other authorities.
      try GnuTLS.use(identity.handle, on: session.handle)
    } else {
      try SharedTLS.useClientCredentials(on: session.handle)
    }
    guard ngtcp2_crypto_gnutls_configure_client_session(session.handle) == 0 else {
      throw HTTP3Error(.internal, "GnuTLS refused to be set up for QUIC.")
    }
    CQUIC_install_each_secret_once(session.handle)
    // RFC 6066 § 3 allows names only; some servers close on an address (Envoy does).
    if !isAddressLiteral(host) {
      let name = Array(host.utf8)
      try GnuTLS.check(
        gnutls_server_name_set(session.handle, GNUTLS_NAME_DNS, name, name.count),
        "Setting the server name '\(host)'")
    }
    return session
  }

  /// - Parameters:
  ///   - version: the QUIC version of the client's first packet, which tickets are bound to.
  ///   - owner: GnuTLS calls it; its connection keeps the session.
  static func server(
    _ server: ServerConfiguration, tickets: SessionTickets?, version: UInt32, forged: ForgedParameter.InTLS?,
    owner: LibraryDelegate
  ) throws(HTTP3Error) -> TLSSession {
    let credentials = server.credentials.current
    let judge = PeerJudge(credentials.clients)
    let tickets = judge.allowsTickets ? tickets : nil
    let takesEarlyData = server.takesEarlyData && judge.allowsTickets
    var flags: Int32 = GNUTLS_SERVER
    if takesEarlyData { flags |= Int32(GNUTLS_ENABLE_EARLY_DATA.rawValue) }
    if !judge.allowsTickets { flags |= GNUTLS_NO_TICKETS }
    let session = try TLSSession(
      flags: flags, server.connection, server.applicationProtocol, judge, keyLog: server.keyLog, owner: owner)
    session.credentials = credentials
    try GnuTLS.use(credentials.preferred.handle, on: session.handle)
    // The server name and ALPN are among the extensions that were read by then; no certificate was chosen, and early data
    // has not been taken yet.
    gnutls_handshake_set_post_client_hello_function(session.handle) { handle in
      guard let tls = delegate(behind: handle)?.tls, tls.hasApplicationProtocol else {
        return GNUTLS_E_NO_APPLICATION_PROTOCOL
      }
      return tls.chooseCredentials()
    }
    switch forged {
    case .repetition:
      try GnuTLS.check(CQUIC_repeat_transport_parameter(session.handle), "Repeating a transport parameter")
    case .omission:
      try GnuTLS.check(CQUIC_omit_transport_parameters(session.handle), "Omitting the transport parameters")
    case nil: break
    }
    guard ngtcp2_crypto_gnutls_configure_server_session(session.handle) == 0 || forged != nil else {
      throw HTTP3Error(.internal, "GnuTLS refused to be set up for QUIC.")
    }
    CQUIC_install_each_secret_once(session.handle)
    session.tickets = tickets.map { ($0, version) }
    try tickets?.enable(on: session.handle, version: version, takesEarlyData: takesEarlyData)
    return session
  }

  private init(
    flags: Int32, _ configuration: ConnectionConfiguration, _ applicationProtocol: String?,
    _ judge: PeerJudge, keyLog: (@Sendable (String) -> Void)?, owner: LibraryDelegate
  ) throws(HTTP3Error) {
    self.judge = judge
    self.keyLog = keyLog
    isRaw = configuration.isRaw
    reference = .allocate(capacity: 1)
    // The owner's connection keeps both, so the unretained pointer is valid as long as the session is.
    CQUIC_session_ref_init(reference, Unmanaged.passUnretained(owner).toOpaque())
    var handle: gnutls_session_t?
    // TLS's EndOfEarlyData message is not used in QUIC (RFC 9001 § 8.3).
    // Tickets are sent when the handshake is complete, by us.
    let code = gnutls_init(
      &handle,
      UInt32(flags) | UInt32(GNUTLS_NO_END_OF_EARLY_DATA.rawValue) | UInt32(GNUTLS_NO_AUTO_SEND_TICKET.rawValue))
    self.handle = handle
    try GnuTLS.check(code, "Making a TLS session")
    try SharedTLS.setPriority(configuration.cipherSuites, configuration.keyExchangeGroups, on: handle)
    gnutls_session_set_ptr(handle, reference)
    judge.prepare(handle)
    // A raw peer may go without. "Mandatory" is only what a peer's extension names; that there is one, GnuTLS leaves to us.
    let applicationProtocol = applicationProtocol ?? configuration.mapping.rawValue
    if !applicationProtocol.isEmpty {
      let code = GnuTLS.withDatum(Array(applicationProtocol.utf8)) {
        gnutls_alpn_set_protocols(handle, $0, 1, UInt32(GNUTLS_ALPN_MANDATORY.rawValue))
      }
      try GnuTLS.check(code, "Setting the application protocol")
    }
    // GNUTLS_HANDSHAKE_ANY, a cast that Swift does not import.
    gnutls_handshake_set_hook_function(handle, .max, GNUTLS_HOOK_BOTH) { handle, type, when, isIncoming, message in
      guard let message, let type = HandshakeHook.Message(gnutls_handshake_description_t(type)),
        let delegate = delegate(behind: handle)
      else { return 0 }
      let moment: HandshakeHook.Moment =
        isIncoming == 0 ? .sending : when == UInt32(GNUTLS_HOOK_PRE) ? .beforeTaking : .afterTaking
      return delegate.handshakeMessagePassed(
        type, moment, UnsafeRawBufferPointer(start: message.pointee.data, count: Int(message.pointee.size)))
    }
    if keyLog != nil {
      gnutls_session_set_keylog_function(handle) { handle, label, secret in
        delegate(behind: handle)?.tls?.logKey(label: label, secret: secret)
        return 0
      }
    } else {
      // GnuTLS's own function would write to the file that SSLKEYLOGFILE names, for everybody to read.
      gnutls_session_set_keylog_function(handle) { _, _, _ in 0 }
    }
  }

  /// Ties the session to its connection; GnuTLS's callbacks need it from the first packet on.
  func attach(to connection: OpaquePointer?) {
    reference.pointee.conn = connection
    ngtcp2_conn_set_tls_native_handle(connection, UnsafeMutableRawPointer(handle))
  }

  /// Continues a client's earlier session; false if it cannot be read. A resumed handshake brings no certificates, so those
  /// of the ticket have to be good now.
  func resume(_ ticket: ResumptionTicket) -> Bool {
    guard judge.isServerAccepted(ticket.certificates) else { return false }
    return ticket.session.withUnsafeBytes { gnutls_session_set_data(handle, $0.baseAddress, $0.count) } == 0
  }

  /// Takes a server's credentials for the name that the client asks for; returns GnuTLS's code.
  private func chooseCredentials() -> Int32 {
    guard let credentials, credentials.isChoice else { return 0 }
    return gnutls_credentials_set(
      handle, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials.credentials(for: serverName).handle))
  }

  /// The name that a client asks for; nil for none, and for one that is longer than GnuTLS keeps.
  private var serverName: String? {
    var bytes = [UInt8](repeating: 0, count: 256)
    var size = bytes.count
    var kind: UInt32 = 0
    guard gnutls_server_name_get(handle, &bytes, &size, &kind, 0) == 0, kind == GNUTLS_NAME_DNS.rawValue,
      size <= bytes.count
    else { return nil }
    return String(decoding: bytes[..<size], as: UTF8.self)
  }

  /// Verifies the certificates that the peer has sent.
  func verifyPeer() throws(HTTP3Error) { try judge.judge(peerCertificates) }

  /// Throws where a server has asked for its client's certificate, and the handshake ended without a verdict on it.
  func requireVerdictOnClient() throws(HTTP3Error) { try judge.requireVerdict() }

  /// The certificates by which a server's client has proved who it is, DER, leaf first.
  var clientCertificates: [[UInt8]] { judge.isClientAccepted ? peerCertificates : [] }

  /// The session as it can be gone on with; nil without a ticket.
  var sessionData: [UInt8]? {
    var datum = gnutls_datum_t()
    guard gnutls_session_get_data2(handle, &datum) == 0, let data = datum.data else { return nil }
    defer { CQUIC_gnutls_free(data) }
    return Array(UnsafeBufferPointer(start: data, count: Int(datum.size)))
  }

  /// Whether a server has begun to read early data.
  var opensEarlyData: Bool { CQUIC_session_ref_opens_early_data(reference) != 0 }

  /// Lets a server refuse early data.
  func refuseEarlyData() { gnutls_anti_replay_enable(handle, nil) }

  /// Whether ALPN agreed on a protocol, without which QUIC has no application (RFC 9001 § 8.1).
  var hasApplicationProtocol: Bool {
    if isRaw { return true }
    var name = gnutls_datum_t()
    return gnutls_alpn_get_selected_protocol(handle, &name) == 0
  }

  func requireApplicationProtocol() throws(HTTP3Error) {
    guard !hasApplicationProtocol else { return }
    throw HTTP3Error(
      .tlsAlert(UInt8(GNUTLS_A_NO_APPLICATION_PROTOCOL.rawValue)),
      "The server agreed on no application protocol (ALPN); it does not serve HTTP/3 there.")
  }

  var isResumed: Bool { gnutls_session_is_resumed(handle) != 0 }

  /// Whether the server took early data.
  var tookEarlyData: Bool {
    gnutls_session_get_flags(handle) & UInt32(GNUTLS_SFLAGS_EARLY_DATA.rawValue) != 0
  }

  /// Prepares a server for the ticket in the ClientHello that is read next.
  func willReadClientHello(_ message: UnsafeRawBufferPointer) {
    guard let (tickets, version) = tickets else { return }
    hasEarlierTicket = tickets.open(ticketOf: message, on: handle, version: version) || hasEarlierTicket
  }

  /// Gives a client tickets; none to one that came with a ticket under an earlier secret, whose next handshake is a full one.
  func sendTickets(_ count: UInt32) {
    guard tickets != nil, !hasEarlierTicket else { return }
    _ = gnutls_session_ticket_send(handle, count, 0)
  }

  deinit {
    if let handle { gnutls_deinit(handle) }
    reference.deallocate()
  }

  /// The certificates that the peer sent, DER, leaf first.
  var peerCertificates: [[UInt8]] {
    var count: UInt32 = 0
    guard let list = gnutls_certificate_get_peers(handle, &count) else { return [] }
    return (0..<Int(count)).map { index in
      Array(UnsafeBufferPointer(start: list[index].data, count: Int(list[index].size)))
    }
  }

  /// The OCSP response behind the leaf that the peer sent, DER.
  var stapledResponse: [UInt8]? {
    var response = gnutls_datum_t()
    guard gnutls_ocsp_status_request_get2(handle, 0, &response) == 0 else { return nil }
    return Array(UnsafeBufferPointer(start: response.data, count: Int(response.size)))
  }

  /// The result of the handshake.
  ///
  /// - Parameter version: QUIC's.
  func info(_ version: UInt32, _ earlyData: HandshakeInfo.EarlyData) -> HandshakeInfo {
    HandshakeInfo(
      version: version, cipherNumber: gnutls_cipher_get(handle).rawValue,
      groupNumber: gnutls_group_get(handle).rawValue, isResumed: isResumed, earlyData: earlyData)
  }

  /// Writes a line of the key log.
  private func logKey(label: UnsafePointer<CChar>?, secret: UnsafePointer<gnutls_datum_t>?) {
    guard let keyLog, let label, let secret else { return }
    var random = gnutls_datum_t()
    gnutls_session_get_random(handle, &random, nil)
    keyLog("\(String(cString: label)) \(Self.hex(random)) \(Self.hex(secret.pointee))")
  }

  private static func hex(_ datum: gnutls_datum_t) -> String {
    UnsafeBufferPointer(start: datum.data, count: Int(datum.size))
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func isAddressLiteral(_ host: String) -> Bool {
    if host.contains(":") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
