import CQUIC

/// The parts that the library's connection is made of: ids, callbacks, settings and transport parameters
/// (RFC 9000 §§ 7.3, 18.2).
struct ConnectionSetup {
  /// Longer ones do not leave with a client's first packet: one that fills it makes the library (1.11) begin twice, which
  /// it asserts against.
  private static let longestToken = 1_000

  private let isServer: Bool
  /// The peer's connection id, as far as it is known, and our own first one.
  private var destination: ngtcp2_cid
  private(set) var source: ngtcp2_cid
  /// The destination of the client's first packet, which both sides know.
  private var original: ngtcp2_cid
  /// The version that the connection begins with, and those that are spoken, the preferred one first.
  private let version: UInt32
  private let versions: [UInt32]
  private var token: [UInt8] = []
  private var callbacks = QUICCallbacks.make()
  private var settings: ngtcp2_settings
  private(set) var parameters: ngtcp2_transport_params

  // MARK: The two sides

  static func client(_ client: ClientConfiguration, at now: Timestamp, random: RandomSource) -> ConnectionSetup {
    let spoken = spoken(client.connection)
    // The version that most servers speak, also where another one is preferred: they announce it when they support that
    // one too.
    let version = spoken.contains(.v1) ? .v1 : spoken[0]
    let destination = ngtcp2_cid.random(18, from: random)
    var setup = ConnectionSetup(
      client.connection, isServer: false, destination: destination,
      source: .random(ConnectionID.ownLength, from: random), original: destination, version: version.rawValue,
      versions: spoken, at: now, random: random)
    QUICCallbacks.addClient(to: &setup.callbacks)
    setup.settings.original_version = version.rawValue
    if let token = client.token, token.count <= Self.longestToken { setup.token = token }
    setup.parameters.initial_max_stream_data_bidi_local = varint(client.connection.streamWindow)
    return setup
  }

  /// - Parameters:
  ///   - initial: the header of the client's first packet.
  ///   - ids: learns of those that the connection begins with.
  static func server(
    _ server: ServerConfiguration, initial: ngtcp2_pkt_hd, _ verdict: AddressValidation.Verdict,
    ids: inout OwnConnectionIDs, at now: Timestamp, random: RandomSource
  ) -> ConnectionSetup {
    var spoken = spoken(server.connection)
    // Preferred to all.
    if !server.changesVersion, let first = QUICVersion(rawValue: initial.version) {
      spoken = [first] + spoken.filter { $0 != first }
    }
    var setup = ConnectionSetup(
      server.connection, isServer: true, destination: initial.scid, source: ids.make(from: random),
      original: initial.dcid, version: initial.version, versions: spoken, at: now, random: random)
    QUICCallbacks.addServer(to: &setup.callbacks)
    if server.connection.repeats != nil { QUICCallbacks.addRepeats(to: &setup.callbacks) }
    setup.parameters.initial_max_stream_data_bidi_remote = varint(server.connection.streamWindow)
    setup.parameters.initial_max_streams_bidi = server.connection.requestLimit
    setup.answer(initial, verdict)
    setup.offer(server.preferredAddresses, ids: &ids, random: random)
    setup.parameters.stateless_reset_token_present = 1
    setup.writeToken(\.stateless_reset_token, of: setup.source, ids.tokens, random)
    ids.didAdd(ConnectionID(initial.dcid))
    ids.didAdd(ConnectionID(setup.source))
    return setup
  }

  private init(
    _ configuration: ConnectionConfiguration, isServer: Bool, destination: ngtcp2_cid, source: ngtcp2_cid,
    original: ngtcp2_cid, version: UInt32, versions: [QUICVersion], at now: Timestamp, random: RandomSource
  ) {
    self.isServer = isServer
    self.destination = destination
    self.source = source
    self.original = original
    self.version = version
    self.versions = versions.map(\.rawValue)
    settings = Self.settings(configuration, isServer: isServer, at: now, random: random)
    parameters = Self.parameters(configuration)
    // It notes the numbers of packets, of which a server keeps some back.
    if isServer { callbacks.encrypt = CQUIC_observed_encrypt }
    if configuration.isRaw { callbacks.encrypt = CQUIC_forging_encrypt }
  }

  // MARK: A server's answer to a first packet

  /// Proves to the client that a Retry was ours (RFC 9000 § 7.3), or lets the library know that its address is proven.
  private mutating func answer(_ initial: ngtcp2_pkt_hd, _ verdict: AddressValidation.Verdict) {
    switch verdict {
    case .notValidated, .refused: break
    case .validatedByRetry(let original):
      self.original = original
      parameters.retry_scid = initial.dcid
      parameters.retry_scid_present = 1
      settings.token_type = NGTCP2_TOKEN_TYPE_RETRY
      token = Array(UnsafeBufferPointer(start: initial.token, count: initial.tokenlen))
    case .validatedByNewToken:
      settings.token_type = NGTCP2_TOKEN_TYPE_NEW_TOKEN
      token = Array(UnsafeBufferPointer(start: initial.token, count: initial.tokenlen))
    }
    parameters.original_dcid = original
    parameters.original_dcid_present = 1
  }

  /// Offers the addresses to continue at (RFC 9000 § 9.6), with a connection id of their own.
  private mutating func offer(_ addresses: [NetworkAddress], ids: inout OwnConnectionIDs, random: RandomSource) {
    let v4 = addresses.first { $0.isIPv4 }
    let v6 = addresses.first { !$0.isIPv4 }
    guard v4 != nil || v6 != nil else { return }
    var id = ids.make(from: random)
    var v4Address = (v4 ?? NetworkAddress(ip: .v4(0), port: 0)).cAddress
    var v6Address = (v6 ?? NetworkAddress(ip: .v6(0, 0, scope: 0), port: 0)).cAddress
    CQUIC_offer_preferred_addresses(&parameters, &v4Address, &v6Address, &id)
    writeToken(\.preferred_addr.stateless_reset_token, of: id, ids.tokens, random)
    ids.didAdd(ConnectionID(id))
  }

  private mutating func writeToken<Bytes>(
    _ place: WritableKeyPath<ngtcp2_transport_params, Bytes>, of id: ngtcp2_cid, _ tokens: OwnConnectionIDs.TokenSource,
    _ random: RandomSource
  ) {
    withUnsafeMutableBytes(of: &parameters[keyPath: place]) { bytes in
      withUnsafePointer(to: id) {
        _ = StatelessResetToken.write(
          tokens, of: $0, to: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), random: random)
      }
    }
  }

  // MARK: The trace

  /// Starts the trace if the configuration wants one; the last step before the library's connection is made.
  mutating func startTrace(
    _ configuration: ConnectionConfiguration, over path: NetworkPath, at now: Timestamp
  ) -> QlogTrace? {
    guard let wanted = configuration.qlog else { return nil }
    let trace = QlogTrace(
      wanted, original: original.bytes, isServer: isServer,
      reportsCongestion: configuration.congestionControl != .reno, at: now)
    if !configuration.isRaw { callbacks.encrypt = CQUIC_observed_encrypt }
    QUICCallbacks.addTrace(to: &callbacks, &settings)
    trace.connectionStarted(
      path, source: isServer ? destination.bytes : source.bytes,
      destination: isServer ? source.bytes : destination.bytes)
    trace.sends(QlogParameters(parameters))
    trace.recoveryBegins(initialRoundTrip: settings.initial_rtt)
    return trace
  }

  // MARK: The library's connection

  /// Makes it; nil where the library refuses, with the reason's code.
  ///
  /// - Parameter owner: handed to the callbacks, and kept by the library.
  func make(over path: NetworkPath, owner: UnsafeMutableRawPointer) -> (connection: OpaquePointer?, code: Int32) {
    var (destination, source, callbacks, parameters) = (destination, source, callbacks, parameters)
    var connection: OpaquePointer?
    let code = withSettings { settings in
      path.withCPath { path in
        isServer
          ? CQUIC_conn_server_new(
            &connection, &destination, &source, path, version, &callbacks, settings, &parameters, owner)
          : CQUIC_conn_client_new(
            &connection, &destination, &source, path, version, &callbacks, settings, &parameters, owner)
      }
    }
    return (connection, code)
  }

  /// Lends the settings with versions and token in them, whose memory is valid for the call only.
  private func withSettings<Result>(_ body: (UnsafePointer<ngtcp2_settings>) -> Result) -> Result {
    versions.withUnsafeBufferPointer { versions in
      token.withUnsafeBufferPointer { token in
        var settings = settings
        settings.preferred_versions = versions.baseAddress
        settings.preferred_versionslen = versions.count
        settings.available_versions = versions.baseAddress
        settings.available_versionslen = versions.count
        settings.token = token.isEmpty ? nil : token.baseAddress
        settings.tokenlen = token.count
        return withUnsafePointer(to: settings, body)
      }
    }
  }

  private static func spoken(_ configuration: ConnectionConfiguration) -> [QUICVersion] {
    configuration.versions.isEmpty ? [.v1] : configuration.versions
  }

  private static func settings(
    _ configuration: ConnectionConfiguration, isServer: Bool, at now: Timestamp, random: RandomSource
  ) -> ngtcp2_settings {
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
    // A server always probes: without, the library (1.11) fails an assertion when a client moves to another address and
    // back (fixed by fa4a6716 of 1.12).
    settings.no_pmtud = configuration.probesPathMTU || isServer ? 0 : 1
    // The library's event log overflows its stack on hostile parameters before 1.23: it stays off.
    settings.qlog_write = nil
    return settings
  }

  private static func parameters(_ configuration: ConnectionConfiguration) -> ngtcp2_transport_params {
    var parameters = ngtcp2_transport_params()
    CQUIC_transport_params_default(&parameters)
    parameters.initial_max_data = varint(configuration.connectionWindow)
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
    parameters.max_datagram_frame_size = configuration.takesDatagrams ? 65_535 : 0
    parameters.disable_active_migration = configuration.forbidsMigration ? 1 : 0
    return parameters
  }

  /// The libraries abort on limits beyond a variable-length integer's range (RFC 9000 § 16).
  private static func varint(_ value: UInt64) -> UInt64 { min(value, 1 << 60) }
}

extension ConnectionConfiguration {
  /// Requests that the peer may have open at once, within what both libraries take.
  var requestLimit: UInt64 { min(maximumRequests, 1 << 32) }
}
