import CQUIC

extension HTTP3Connection {
  /// A client's connection over `path`; its first datagram is ready at the next ``fill(_:at:)``.
  package static func client(
    _ configuration: ClientConfiguration, path: NetworkPath, at now: Timestamp, random: RandomSource
  ) throws(HTTP3Error) -> HTTP3Connection {
    let connection = HTTP3Connection(
      role: .client(configuration), configuration: configuration.connection, random: random,
      keyLog: configuration.keyLog, at: now)
    let tls = try TLSSession.client(
      host: configuration.host, configuration.connection, applicationProtocol: configuration.applicationProtocol,
      owner: connection, hasKeyLog: configuration.keyLog != nil)
    // One that fills the first packet makes the library (1.11) begin twice, which it asserts against.
    let token = configuration.token.flatMap { $0.count <= Self.longestToken ? $0 : nil } ?? []
    // The version that most servers speak, also where another one is preferred: they tell when they do too.
    let version = connection.versions.contains(.v1) ? .v1 : connection.versions[0]
    var destination = ngtcp2_cid.random(18, from: random)
    var source = ngtcp2_cid.random(ConnectionID.ownLength, from: random)
    var callbacks = QUICCallbacks.make()
    callbacks.client_initial = ngtcp2_crypto_client_initial_cb
    callbacks.recv_retry = ngtcp2_crypto_recv_retry_cb
    callbacks.recv_new_token = { _, token, count, userData in
      HTTP3Engine.connection(behind: userData)?.didReceiveNewToken(UnsafeBufferPointer(start: token, count: count))
      return 0
    }
    callbacks.select_preferred_addr = { _, destination, _, userData in
      HTTP3Engine.connection(behind: userData)?.selectPreferredAddress(destination)
      return 0
    }
    var settings = connection.makeSettings(at: now)
    var parameters = connection.makeTransportParameters()
    parameters.initial_max_stream_data_bidi_local = Self.varint(configuration.connection.streamWindow)
    connection.startQlog(
      original: destination, destination: destination, source: source, path: path, callbacks: &callbacks,
      settings: &settings, parameters: parameters)
    if connection.mapping.raw != nil { callbacks.encrypt = CQUIC_forging_encrypt }
    var quic: OpaquePointer?
    // The library keeps the pointer as user data; the connection frees the library's object before it goes itself.
    let owner = Unmanaged.passUnretained(connection).toOpaque()
    let code = token.withUnsafeBufferPointer { token in
      settings.token = token.baseAddress
      settings.tokenlen = token.count
      settings.original_version = version.rawValue
      return connection.withVersions(in: settings) { settings in
        path.withCPath {
          CQUIC_conn_client_new(
            &quic, &destination, &source, $0, version.rawValue, &callbacks, settings, &parameters, owner)
        }
      }
    }
    try connection.adopt(quic, tls, code)
    if let ticket = configuration.ticket { connection.resume(with: ticket) }
    return connection
  }

  /// A server's connection for the client's first packet, whose header is `initial`.
  static func server(
    _ configuration: ServerConfiguration, initial: ngtcp2_pkt_hd, _ verdict: AddressValidation.Verdict,
    _ secrets: ServerSecrets, forged: ForgedParameter? = nil, path: NetworkPath, at now: Timestamp, random: RandomSource
  ) throws(HTTP3Error) -> HTTP3Connection {
    let connection = HTTP3Connection(
      role: .server(secrets), configuration: configuration.connection,
      random: random, keyLog: configuration.keyLog, at: now)
    let tls = try TLSSession.server(
      credentials: configuration.credentials, tickets: secrets.tickets, takesEarlyData: configuration.takesEarlyData,
      version: initial.version, configuration.connection, applicationProtocol: configuration.applicationProtocol,
      forged: connection.mapping.raw != nil ? forged?.inTLS : nil, owner: connection,
      hasKeyLog: configuration.keyLog != nil)
    var destination = initial.scid
    var source = ngtcp2_cid.random(ConnectionID.ownLength, from: random)
    var callbacks = QUICCallbacks.make()
    callbacks.recv_client_initial = ngtcp2_crypto_recv_client_initial_cb
    callbacks.stream_open = { _, id, userData in
      HTTP3Engine.connection(behind: userData)?.mapping.streamDidOpen(StreamID(id))
      return 0
    }
    var settings = connection.makeSettings(at: now)
    var parameters = connection.makeTransportParameters()
    parameters.initial_max_stream_data_bidi_remote = Self.varint(configuration.connection.streamWindow)
    parameters.initial_max_streams_bidi = configuration.connection.requestLimit
    parameters.original_dcid = initial.dcid
    parameters.original_dcid_present = 1
    switch verdict {
    case .notValidated, .refused: break
    case .validatedByRetry(let original):
      parameters.original_dcid = original
      parameters.retry_scid = initial.dcid
      parameters.retry_scid_present = 1
      settings.token_type = NGTCP2_TOKEN_TYPE_RETRY
      settings.token = initial.token
      settings.tokenlen = initial.tokenlen
    case .validatedByNewToken:
      settings.token_type = NGTCP2_TOKEN_TYPE_NEW_TOKEN
      settings.token = initial.token
      settings.tokenlen = initial.tokenlen
    }
    connection.offer(configuration.preferredAddresses, in: &parameters, secrets)
    parameters.stateless_reset_token_present = 1
    _ = withUnsafeMutableBytes(of: &parameters.stateless_reset_token) {
      ngtcp2_crypto_generate_stateless_reset_token(
        $0.baseAddress?.assumingMemoryBound(to: UInt8.self), secrets.reset, secrets.reset.count, &source)
    }
    connection.startQlog(
      original: parameters.original_dcid, destination: destination, source: source, path: path,
      callbacks: &callbacks, settings: &settings, parameters: parameters)
    if connection.mapping.raw != nil { callbacks.encrypt = CQUIC_forging_encrypt }
    var quic: OpaquePointer?
    let owner = Unmanaged.passUnretained(connection).toOpaque()
    let first = configuration.changesVersion ? nil : QUICVersion(rawValue: initial.version)
    let code = connection.withVersions(in: settings, first: first) { settings in
      path.withCPath {
        CQUIC_conn_server_new(
          &quic, &destination, &source, $0, initial.version, &callbacks, settings, &parameters, owner)
      }
    }
    try connection.adopt(quic, tls, code)
    if connection.mapping.raw != nil { forged?.apply(to: quic, parameters) }
    connection.connectionIDChanges.append(.added(ConnectionID(initial.dcid)))
    connection.connectionIDChanges.append(.added(ConnectionID(source)))
    return connection
  }

  private func adopt(_ quic: OpaquePointer?, _ tls: TLSSession, _ code: Int32) throws(HTTP3Error) {
    guard code == 0, quic != nil else {
      throw HTTP3Error(.internal, "Making a QUIC connection failed: \(Self.message(code))")
    }
    adopt(quic: quic, tls: tls)
  }

  private func makeSettings(at now: Timestamp) -> ngtcp2_settings {
    var settings = ngtcp2_settings()
    CQUIC_settings_default(&settings)
    settings.initial_ts = now.nanoseconds
    settings.cc_algo =
      switch configuration.congestionControl {
      case .cubic: NGTCP2_CC_ALGO_CUBIC
      case .reno: NGTCP2_CC_ALGO_RENO
      case .bbr: NGTCP2_CC_ALGO_BBR
      }
    settings.initial_rtt = UInt64(max(configuration.initialRoundTrip.nanosecondsClamped, 1))
    settings.handshake_timeout = UInt64(max(configuration.handshakeTimeout.nanosecondsClamped, 1))
    settings.rand_ctx.native_handle = Unmanaged.passUnretained(random).toOpaque()
    // A server always probes: without, the library (1.11) meets an assertion when a client moves to another address and
    // back (mended by fa4a6716 of 1.12).
    settings.no_pmtud = configuration.probesPathMTU || isServer ? 0 : 1
    // The library's event log overflows its stack on hostile parameters before 1.23: it stays off.
    settings.qlog_write = nil
    return settings
  }

  private var versions: [QUICVersion] { configuration.versions.isEmpty ? [.v1] : configuration.versions }

  /// Lends the settings with the versions in them, whose memory is valid for the call only; `first` is preferred to all.
  private func withVersions<Result>(
    in settings: ngtcp2_settings, first: QUICVersion? = nil, _ body: (UnsafePointer<ngtcp2_settings>) -> Result
  ) -> Result {
    let ordered = (first.map { [$0] } ?? []) + versions.filter { $0 != first }
    return ordered.map(\.rawValue).withUnsafeBufferPointer { versions in
      var settings = settings
      settings.preferred_versions = versions.baseAddress
      settings.preferred_versionslen = versions.count
      settings.available_versions = versions.baseAddress
      settings.available_versionslen = versions.count
      return withUnsafePointer(to: settings, body)
    }
  }

  private func makeTransportParameters() -> ngtcp2_transport_params {
    var parameters = ngtcp2_transport_params()
    CQUIC_transport_params_default(&parameters)
    parameters.initial_max_data = Self.varint(configuration.connectionWindow)
    parameters.initial_max_stream_data_uni = 256 << 10
    // Control and two QPACK streams, and some that the peer may use for reserved types (RFC 9114 § 6.2.3).
    parameters.initial_max_streams_uni = configuration.mapping == .http3 ? 16 : 0
    parameters.max_idle_timeout = UInt64(max(configuration.idleTimeout.nanosecondsClamped, 0))
    // Below 2^14 milliseconds (RFC 9000 § 18.2).
    let delay = min(max(configuration.maximumAckDelay.nanosecondsClamped, 0), 16_383_000_000)
    parameters.max_ack_delay = UInt64(delay) / 1_000_000 * 1_000_000
    // The library (1.11) keeps eight and asserts that a preferred address finds room among them.
    parameters.active_connection_id_limit = UInt64(ConnectionIDBudget.activeLimit)
    parameters.grease_quic_bit = 1
    // Any that fits a packet (RFC 9221 § 3).
    parameters.max_datagram_frame_size = configuration.usesDatagrams ? 65_535 : 0
    parameters.disable_active_migration = configuration.forbidsMigration ? 1 : 0
    return parameters
  }

  private static let longestToken = 1_000

  /// The libraries abort on limits beyond a variable-length integer's range (RFC 9000 § 16).
  private static func varint(_ value: UInt64) -> UInt64 { min(value, 1 << 60) }

  static func message(_ code: Int32) -> String {
    ngtcp2_strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

extension ConnectionConfiguration {
  /// Requests that the peer may have open at once, within what both libraries take.
  var requestLimit: UInt64 { min(maximumRequests, 1 << 32) }
}
