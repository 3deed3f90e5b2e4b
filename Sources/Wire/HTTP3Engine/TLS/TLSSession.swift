import CQUIC

/// One GnuTLS session of a QUIC connection, and the block of memory through which GnuTLS finds the connection.
///
/// Freed after the `ngtcp2_conn` that uses it.
final class TLSSession {
  let handle: gnutls_session_t?
  private let reference: UnsafeMutablePointer<CQUIC_session_ref>

  static func client(
    host: String, _ configuration: ConnectionConfiguration, applicationProtocol: String?, owner: HTTP3Connection,
    hasKeyLog: Bool
  ) throws(HTTP3Error) -> TLSSession {
    let session = try TLSSession(
      flags: GNUTLS_CLIENT | Int32(GNUTLS_ENABLE_EARLY_DATA.rawValue), configuration,
      applicationProtocol: applicationProtocol ?? configuration.mapping.rawValue, owner: owner, hasKeyLog: hasKeyLog)
    try SharedTLS.useClientCredentials(on: session.handle)
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
    // Verifies inside the handshake, so nothing of an impostor's reaches the application.
    gnutls_session_set_verify_function(session.handle) { handle in
      HTTP3Connection.owner(of: handle)?.verifyPeer() ?? -1
    }
    return session
  }

  static func server(
    credentials: ServerCredentials, tickets: SessionTickets?, takesEarlyData: Bool, version: UInt32,
    _ configuration: ConnectionConfiguration, applicationProtocol: String?, forged: ForgedParameter.InTLS?,
    owner: HTTP3Connection, hasKeyLog: Bool
  ) throws(HTTP3Error) -> TLSSession {
    let session = try TLSSession(
      flags: GNUTLS_SERVER | (takesEarlyData ? Int32(GNUTLS_ENABLE_EARLY_DATA.rawValue) : 0), configuration,
      applicationProtocol: applicationProtocol ?? configuration.mapping.rawValue, owner: owner, hasKeyLog: hasKeyLog)
    try GnuTLS.use(credentials.handle, on: session.handle)
    // ALPN is among the extensions that were read by then, and early data has not been taken yet.
    gnutls_handshake_set_post_client_hello_function(session.handle) { handle in
      HTTP3Connection.hasApplicationProtocol(handle) ? 0 : GNUTLS_E_NO_APPLICATION_PROTOCOL
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
    try tickets?.enable(on: session.handle, version: version, takesEarlyData: takesEarlyData)
    return session
  }

  private init(
    flags: Int32, _ configuration: ConnectionConfiguration, applicationProtocol: String, owner: HTTP3Connection,
    hasKeyLog: Bool
  ) throws(HTTP3Error) {
    reference = .allocate(capacity: 1)
    // The owner keeps this session, so the unretained pointer is valid as long as the session is.
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
    // A raw peer may go without. "Mandatory" is only what a peer's extension names; that there is one, GnuTLS leaves to us.
    if !applicationProtocol.isEmpty {
      let code = GnuTLS.withDatum(Array(applicationProtocol.utf8)) {
        gnutls_alpn_set_protocols(handle, $0, 1, UInt32(GNUTLS_ALPN_MANDATORY.rawValue))
      }
      try GnuTLS.check(code, "Setting the application protocol")
    }
    // GNUTLS_HANDSHAKE_ANY, a cast that Swift does not import.
    gnutls_handshake_set_hook_function(handle, .max, GNUTLS_HOOK_BOTH) { handle, type, when, isIncoming, message in
      guard let message, let connection = HTTP3Connection.owner(of: handle) else { return 0 }
      guard isIncoming != 0 else { return connection.willSend(gnutls_handshake_description_t(type)) }
      return connection.didReceive(
        gnutls_handshake_description_t(type),
        UnsafeRawBufferPointer(start: message.pointee.data, count: Int(message.pointee.size)),
        isTaken: when != UInt32(GNUTLS_HOOK_PRE))
    }
    if hasKeyLog {
      gnutls_session_set_keylog_function(handle) { handle, label, secret in
        HTTP3Connection.owner(of: handle)?.logKey(label: label, secret: secret, session: handle)
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

  /// Goes on with an earlier session; false if it cannot be read.
  func resume(_ session: [UInt8]) -> Bool {
    session.withUnsafeBytes { gnutls_session_set_data(handle, $0.baseAddress, $0.count) } == 0
  }

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

  var hasApplicationProtocol: Bool { HTTP3Connection.hasApplicationProtocol(handle) }

  var isResumed: Bool { gnutls_session_is_resumed(handle) != 0 }

  /// Whether the server took early data.
  var tookEarlyData: Bool {
    gnutls_session_get_flags(handle) & UInt32(GNUTLS_SFLAGS_EARLY_DATA.rawValue) != 0
  }

  func sendTickets(_ count: UInt32) {
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

  /// GnuTLS's numbers of what was agreed on.
  var cipherNumber: UInt32 { gnutls_cipher_get(handle).rawValue }
  var groupNumber: UInt32 { gnutls_group_get(handle).rawValue }

  private static func isAddressLiteral(_ host: String) -> Bool {
    if host.contains(":") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension HTTP3Connection {
  /// GnuTLS's hook, before and after it takes a message: 0, or what ends the handshake.
  fileprivate func didReceive(
    _ type: gnutls_handshake_description_t, _ message: UnsafeRawBufferPointer, isTaken: Bool
  ) -> Int32 {
    switch (type, isTaken) {
    case (GNUTLS_HANDSHAKE_NEW_SESSION_TICKET, false):
      resumption.willReadTicket(allowsEarlyData: NewSessionTicket.allowsEarlyData(message))
    case (GNUTLS_HANDSHAKE_NEW_SESSION_TICKET, true): ticketDidArrive()
    case (GNUTLS_HANDSHAKE_HELLO_RETRY_REQUEST, false):
      guard !isServer, resumption.isEarlyDataOffered else { break }
      // GnuTLS (3.7.9) would write the second ClientHello as early data, and derive the key for that again.
      fail(
        with: HTTP3Error(
          .earlyDataRetry,
          "The server asked for another key exchange beside early data; connect again without the ticket."))
      return GNUTLS_E_UNEXPECTED_PACKET
    case (GNUTLS_HANDSHAKE_CLIENT_HELLO, false), (GNUTLS_HANDSHAKE_ENCRYPTED_EXTENSIONS, false):
      let isClientHello = type == GNUTLS_HANDSHAKE_CLIENT_HELLO
      if isClientHello, KeyShareList.isMissingBesideEarlyData(in: message, configuration.keyExchangeGroups) {
        tls?.refuseEarlyData()
      }
      guard TransportParameterList.isRepetitive(in: message, isClientHello: isClientHello) else { break }
      ngtcp2_conn_set_tls_error(quic, NGTCP2_ERR_MALFORMED_TRANSPORT_PARAM)
      return GNUTLS_E_RECEIVED_ILLEGAL_PARAMETER
    // Also GnuTLS's other messages, whose constants are no closed set in Swift.
    default: break
    }
    return 0
  }

  /// GnuTLS's hook before and after it sends a message: 0, or what ends the handshake.
  fileprivate func willSend(_ type: gnutls_handshake_description_t) -> Int32 {
    // Without transport parameters, which take effect with the keys of 1-RTT, the library (1.11) asserts when it reads
    // early data (lib/ngtcp2_conn.c:8591).
    guard type == GNUTLS_HANDSHAKE_HELLO_RETRY_REQUEST, tls?.opensEarlyData == true else { return 0 }
    return GNUTLS_E_ILLEGAL_PARAMETER
  }

  /// Whether ALPN agreed on a protocol, without which QUIC has no application (RFC 9001 § 8.1). A raw peer does not ask.
  fileprivate static func hasApplicationProtocol(_ session: gnutls_session_t?) -> Bool {
    if owner(of: session)?.mapping.raw != nil { return true }
    var name = gnutls_datum_t()
    return gnutls_alpn_get_selected_protocol(session, &name) == 0
  }

  /// The connection behind a GnuTLS session, for GnuTLS's callbacks.
  static func owner(of session: gnutls_session_t?) -> HTTP3Connection? {
    guard let reference = gnutls_session_get_ptr(session) else { return nil }
    let owner = reference.assumingMemoryBound(to: CQUIC_session_ref.self).pointee.owner
    return owner.map { Unmanaged<HTTP3Connection>.fromOpaque($0).takeUnretainedValue() }
  }
}
