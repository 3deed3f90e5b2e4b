import CQUIC

/// The library's QUIC connection and the TLS session under it: makes both, frees both, and calls them for its owner.
///
/// The library's demands on its caller are met here: time does not run backwards, what it points to stays where it is,
/// and its packets are judged and observed.
final class QUICConnection {
  /// The library's source of random numbers; it keeps a pointer to it.
  let random: RandomSource
  private let observer: PacketObserver?
  private let usesECN: Bool
  private var handle: OpaquePointer?
  private(set) var tls: TLSSession?
  /// The user data of the library's callbacks.
  private var owner: UnsafeMutableRawPointer?
  private let receivePath = ReceivePath()
  private var pacing = HandshakePacing()
  /// The latest time that was given.
  private(set) var now: Timestamp

  init(random: RandomSource, observer: PacketObserver?, usesECN: Bool, at now: Timestamp) {
    self.random = random
    self.observer = observer
    self.usesECN = usesECN
    self.now = now
  }

  /// Makes the library's connection on top of the TLS session; called once.
  ///
  /// - Parameter owner: handed to the callbacks, not kept alive; ``free()`` is called before it goes.
  func open(
    _ setup: ConnectionSetup, _ tls: TLSSession, over path: NetworkPath, owner: LibraryDelegate
  ) throws(HTTP3Error) {
    let owner = Unmanaged.passUnretained(owner).toOpaque()
    let (handle, code) = setup.make(over: path, owner: owner)
    guard code == 0, let handle else {
      throw HTTP3Error(.internal, "Making a QUIC connection failed: \(LibraryFailure.message(code))")
    }
    self.handle = handle
    self.owner = owner
    self.tls = tls
    tls.attach(to: handle)
  }

  /// Frees both, the connection first; nothing is called after.
  func free() {
    if let handle { ngtcp2_conn_del(handle) }
    handle = nil
    tls = nil
  }

  deinit { free() }

  /// The calls for what is mapped onto its streams.
  var streams: QUICStreams { QUICStreams(handle) }

  /// Lets a raw server's parameters be false.
  func forge(_ parameter: ForgedParameter?, _ setup: ConnectionSetup) { parameter?.apply(to: handle, setup.parameters) }

  // MARK: Time

  /// Advances to `now`, or stays: the library asserts that time does not run backwards.
  func advance(to now: Timestamp) -> Timestamp {
    self.now = max(now, self.now)
    observer?.trace?.now = self.now
    return self.now
  }

  /// The time of the library's next deadline, in nanoseconds, or the greatest value.
  var expiry: UInt64 { pacing.expiry(ngtcp2_conn_get_expiry(handle)) }

  /// Starts the library's pacing interval, which is otherwise lost; also after writing nothing (ngtcp2's pacing rule).
  ///
  /// - Parameter isIdle: whether all that may leave has left.
  func pace(isHandshakeComplete: Bool, isIdle: Bool, at now: Timestamp) {
    if !isHandshakeComplete {
      guard isIdle else { return }
      pacing.begin(expiry: ngtcp2_conn_get_expiry(handle))
    }
    ngtcp2_conn_update_pkt_tx_time(handle, now.nanoseconds)
  }

  // MARK: Facts

  /// The path that packets take now.
  var path: NetworkPath? { ngtcp2_conn_get_path(handle).map { NetworkPath($0.pointee) } }

  /// The host that the library sees behind the peer's address on that path.
  var host: ClientAddresses.Host { ngtcp2_conn_get_path(handle).map { NetworkPath.host(in: $0.pointee) } ?? 0 }

  /// The probe time-out of the path (RFC 9002 § 6.2.1), without back-off.
  var probeTimeout: Duration {
    min(.nanoseconds(Int64(clamping: ngtcp2_conn_get_pto(handle))), Liveness.longestProbeTimeout)
  }

  private var info: ngtcp2_conn_info {
    var info = ngtcp2_conn_info()
    if let handle { CQUIC_conn_get_conn_info(handle, &info) }
    return info
  }

  /// Bytes that await acknowledgement, and how many may.
  var flight: (byteCount: UInt64, window: UInt64) {
    let info = info
    return (info.bytes_in_flight, info.cwnd)
  }

  /// The estimates of loss recovery and congestion control.
  var metrics: QlogTrace.Metrics { QlogTrace.Metrics(info) }

  /// The largest datagram that the path is known to carry.
  var maximumPayload: Int { Int(clamping: ngtcp2_conn_get_path_max_tx_udp_payload_size(handle)) }

  /// Nil before they have come.
  var peerParameters: PeerParameters? { PeerParameters(ngtcp2_conn_get_remote_transport_params(handle)) }

  /// Whether packets can go to another place: the peer allows it and has connection ids (RFC 9000 § 9.5).
  var canMigrate: Bool {
    peerParameters?.forbidsMigration != true && ngtcp2_conn_get_dcid(handle)?.pointee.datalen ?? 0 != 0
  }

  /// The version that was agreed on.
  var version: UInt32 { ngtcp2_conn_get_negotiated_version(handle) }

  /// Whether that is the one that the client began with: a ticket or token of another is of no use to the next connection
  /// (RFC 9369 § 5).
  var isOfFirstVersion: Bool { version == ngtcp2_conn_get_client_chosen_version(handle) }

  /// The server's limits, as far as early data is bound to them (RFC 9000 § 7.4.1).
  var earlyParameters: [UInt8]? {
    var count: ngtcp2_ssize = 0
    let parameters = [UInt8](unsafeUninitializedCapacity: 512) { buffer, initialized in
      count = ngtcp2_conn_encode_0rtt_transport_params(handle, buffer.baseAddress, buffer.count)
      initialized = max(0, count)
    }
    return count > 0 ? parameters : nil
  }

  /// The peer's CONNECTION_CLOSE.
  var peerClose: PeerClose? {
    guard let ccerr = ngtcp2_conn_get_ccerr(handle)?.pointee else { return nil }
    return PeerClose(
      isApplication: ccerr.type == NGTCP2_CCERR_TYPE_APPLICATION, code: ccerr.error_code,
      reason: String(decoding: UnsafeBufferPointer(start: ccerr.reason, count: ccerr.reasonlen), as: UTF8.self))
  }

  /// The meaning of a call's negative answer.
  func failure(_ code: Int32) -> LibraryFailure { LibraryFailure(code, alert: ngtcp2_conn_get_tls_alert(handle)) }

  // MARK: Packets

  /// Reads a datagram; 0 or the library's error.
  func read(
    _ datagram: UnsafeRawBufferPointer, on path: NetworkPath, host: ClientAddresses.Host, ecn: ECNCodepoint,
    at now: Timestamp
  ) -> Int32 {
    pacing.end()
    var info = ngtcp2_pkt_info(ecn: usesECN ? ecn.rawValue : 0)
    return PacketJudge.judging(for: owner) {
      observing {
        CQUIC_conn_read_pkt(
          handle, receivePath.pointer(to: path, host: host), &info,
          datagram.baseAddress?.assumingMemoryBound(to: UInt8.self), datagram.count, now.nanoseconds)
      }
    }
  }

  /// Does what is due; 0 or the library's error.
  func handleExpiry(at now: Timestamp) -> Int32 {
    pacing.end()
    return observing { ngtcp2_conn_handle_expiry(handle, now.nanoseconds) }
  }

  /// Adds stream data to the packet in `destination`, as much as fits.
  ///
  /// - Returns: the packet's size once it is complete, 0 for nothing that may leave, or the library's error; and of the data
  ///   so many bytes as it took, -1 where the packet holds other frames only and the data was not taken (ngtcp2#272).
  func write(
    _ data: StreamMapping.StreamData, _ vectors: UnsafeMutableBufferPointer<nghttp3_vec>, _ packet: PacketPlace,
    isForged: Bool, at now: Timestamp
  ) -> (count: Int, taken: Int) {
    var taken: ngtcp2_ssize = -1
    // A forged packet is whole after one call.
    var flags = UInt32(isForged ? NGTCP2_WRITE_STREAM_FLAG_NONE : NGTCP2_WRITE_STREAM_FLAG_MORE)
    if data.isLast { flags |= UInt32(NGTCP2_WRITE_STREAM_FLAG_FIN) }
    let count = observing {
      CQUIC_conn_writev_stream(
        handle, packet.path, packet.info, packet.base, packet.bytes.count, &taken, flags, data.id, vectors.baseAddress,
        data.vectorCount, now.nanoseconds)
    }
    return (count, taken)
  }

  /// Adds a DATAGRAM frame to the packet, acknowledged by its number; as above, and whether the frame was taken.
  func write(
    datagram frame: [UInt8], number: UInt64 = 0, _ packet: PacketPlace, at now: Timestamp
  ) -> (count: Int, isTaken: Bool) {
    var isTaken: Int32 = 0
    let count = observing {
      CQUIC_conn_write_datagram(
        handle, packet.path, packet.info, packet.base, packet.bytes.count, &isTaken,
        UInt32(NGTCP2_WRITE_DATAGRAM_FLAG_MORE), number, frame, frame.count, now.nanoseconds)
    }
    return (count, isTaken != 0)
  }

  /// CONNECTION_CLOSE in a packet, and the path that it takes; nil where none can be sent.
  func write(_ frame: CloseFrame, at now: Timestamp) -> (packet: [UInt8], path: NetworkPath)? {
    var packet = [UInt8](repeating: 0, count: 1_452)
    var storage = ngtcp2_path_storage()
    var info = ngtcp2_pkt_info()
    // The storage points into itself, so it is used where it is.
    return withUnsafeMutablePointer(to: &storage) { storage in
      ngtcp2_path_storage_zero(storage)
      let count = frame.withError { error in
        observing {
          CQUIC_conn_write_connection_close(
            handle, &storage.pointee.path, &info, &packet, packet.count, error, now.nanoseconds)
        }
      }
      guard count > 0 else { return nil }
      return (Array(packet.prefix(count)), NetworkPath(storage.pointee.path))
    }
  }

  /// Runs a library call that may seal or open packets, and lets the trace see what has changed by it.
  private func observing<Result>(_ body: () -> Result) -> Result {
    guard let observer else { return body() }
    defer { if let trace = observer.trace { update(trace) } }
    return observer.observing(body)
  }

  private func update(_ trace: QlogTrace) {
    guard let handle else { return }
    // A client's are those of an earlier connection until its handshake is complete.
    if trace.isServer || ngtcp2_conn_get_handshake_completed(handle) != 0 {
      trace.receives(peerParameters?.recorded)
    }
    trace.update(metrics)
    trace.update(path)
  }

  // MARK: Orders

  /// Sets the silence after which the library sends a PING; nil for never.
  func keepAlive(after interval: Duration?) {
    ngtcp2_conn_set_keep_alive_timeout(handle, interval.map { UInt64(max($0.nanosecondsClamped, 1)) } ?? 0)
  }

  /// Tries another path, or takes it at once.
  func migrate(to path: NetworkPath, _ kind: MigrationKind, at now: Timestamp) -> MigrationAnswer {
    let code = observing {
      path.withCPath {
        switch kind {
        case .probed: ngtcp2_conn_initiate_migration(handle, $0, now.nanoseconds)
        case .immediate: ngtcp2_conn_initiate_immediate_migration(handle, $0, now.nanoseconds)
        }
      }
    }
    return switch code {
    case 0: .started
    case NGTCP2_ERR_INVALID_STATE, NGTCP2_ERR_CONN_ID_BLOCKED: .tooEarly
    case NGTCP2_ERR_INVALID_ARGUMENT: .addressUsed
    case _: .failed(code: code)
    }
  }

  /// See ``HTTP3Connection/updateKeys(at:)``.
  func updateKeys(at now: Timestamp) -> Bool { ngtcp2_conn_initiate_key_update(handle, now.nanoseconds) == 0 }

  /// Limits the packets that one key seals. The library takes it while it has the handshake's keys, and not later.
  func limitKeyUse(to limit: UInt64) {
    guard var ciphers = ngtcp2_conn_get_crypto_ctx(handle)?.pointee else { return }
    ciphers.max_encryption = min(limit, ciphers.max_encryption)
    ngtcp2_conn_set_crypto_ctx(handle, &ciphers)
  }

  /// Prepares a client's first write since the handshake completed.
  func prepareFirstWrite() { CQUIC_conn_settle_reset_token(handle) }

  /// Takes up the server's limits of an earlier connection; false if they cannot be read.
  func takeEarlyParameters(_ parameters: [UInt8]) -> Bool {
    !parameters.isEmpty && ngtcp2_conn_decode_and_set_0rtt_transport_params(handle, parameters, parameters.count) == 0
  }

  /// Takes the streams of early data back, which the server refused.
  func rejectEarlyData() throws(HTTP3Error) {
    let code = ngtcp2_conn_tls_early_data_rejected(handle)
    guard code != 0 else { return }
    throw HTTP3Error(.transport(.internalError), "Taking early data back failed: \(LibraryFailure.message(code)).")
  }

  /// Lets TLS fail by the peer's transport parameters.
  func refuseParameters() { ngtcp2_conn_set_tls_error(handle, NGTCP2_ERR_MALFORMED_TRANSPORT_PARAM) }

  /// NEW_TOKEN.
  func send(token: [UInt8]) {
    if !token.isEmpty { _ = ngtcp2_conn_submit_new_token(handle, token, token.count) }
  }
}
