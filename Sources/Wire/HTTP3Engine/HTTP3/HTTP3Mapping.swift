import CQUIC

/// HTTP/3 on the streams of one connection (RFC 9114), by the library nghttp3: its session, and what has to be watched
/// beside it.
final class HTTP3Mapping {
  let isServer: Bool
  let configuration: ConnectionConfiguration
  let events: EventQueue
  let requests: RequestStreams
  let repeats: RepeatReceiver?
  private var repeatSetting: SettingsAddition?
  private(set) var qlog: QlogTrace?
  /// The library's session; nil before there are keys to send with.
  private(set) var session: OpaquePointer?
  /// The peer's, once they have come; and whether nobody has taken note of them.
  private(set) var peerSettings: PeerSettings?
  private var hasNewSettings = false
  /// A second look at the peer's field lines.
  private(set) var fieldLines: FieldLineCheck?
  private var goingAway = GoingAway()
  private var peerStreams: PeerStreamWatch
  private var priorityUpdates = PriorityUpdates()
  /// Without the check for overlapping access, as `refused`, for the reason given at ``StreamState/watch``.
  @exclusivity(unchecked) private var heldEnds = HeldEnds()
  /// Streams that were given up while the library reads, and are ended when it has.
  @exclusivity(unchecked) private var refused: [(id: StreamID, code: ApplicationErrorCode)] = []

  init(_ configuration: ConnectionConfiguration, isServer: Bool, events: EventQueue) {
    self.isServer = isServer
    self.configuration = configuration
    self.events = events
    requests = RequestStreams(isServer: isServer, events: events)
    repeats = RepeatReceiver(requests, configuration.repeats, isServer: isServer)
    peerStreams = PeerStreamWatch(isServer: isServer, readsRepeatSetting: configuration.repeats != nil)
  }

  deinit { endSession() }

  func attach(to quic: QUICStreams, qlog: QlogTrace?) {
    requests.attach(to: quic)
    self.qlog = qlog
  }

  var quic: QUICStreams { requests.quic }

  // MARK: The session

  var isOpen: Bool { session != nil }

  /// Makes the library's session and its three streams, as soon as the keys for them are there.
  func open() throws(HTTP3Error) {
    guard session == nil else { return }
    var callbacks = HTTP3Callbacks.make()
    var settings = nghttp3_settings.own(configuration)
    // The library keeps the pointer as user data; this object frees the library's before it goes itself.
    let owner = Unmanaged.passUnretained(self).toOpaque()
    var session: OpaquePointer?
    let code =
      isServer
      ? CQUIC_http_server_new(&session, &callbacks, &settings, owner)
      : CQUIC_http_client_new(&session, &callbacks, &settings, owner)
    guard code == 0 else { throw Self.cannotBegin }
    if isServer { nghttp3_conn_set_max_client_streams_bidi(session, configuration.requestLimit) }
    guard let control = quic.open(isBidirectional: false), let encoder = quic.open(isBidirectional: false),
      let decoder = quic.open(isBidirectional: false),
      nghttp3_conn_bind_control_stream(session, control.rawValue) == 0,
      nghttp3_conn_bind_qpack_streams(session, encoder.rawValue, decoder.rawValue) == 0
    else {
      // nghttp3 asserts that a session which is used has its streams.
      nghttp3_conn_del(session)
      throw Self.cannotBegin
    }
    self.session = session
    if configuration.repeats != nil { repeatSetting = SettingsAddition((RepeatTerms.setting, 1), on: control) }
    fieldLines = FieldLineCheck(tableCapacity: settings.qpack_max_dtable_capacity)
  }

  /// Frees the library's session; done before QUIC's connection is freed.
  func endSession() {
    if let session { nghttp3_conn_del(session) }
    session = nil
  }

  /// Begins again where the server refused early data.
  func restart(_ reason: HTTP3Error) throws(HTTP3Error) {
    endSession()
    heldEnds.removeAll()
    requests.refuseAll(reason)
    try open()
  }

  /// Takes the peer's SETTINGS when they have just come.
  func takeNewSettings() -> PeerSettings? {
    guard hasNewSettings else { return nil }
    hasNewSettings = false
    return peerSettings
  }

  /// Whether the peer's SETTINGS allow repeats; nil before they have come.
  var peerAllowsRepeats: Bool? { peerStreams.allowsRepeats }

  func settingsDidArrive(_ settings: PeerSettings) {
    peerSettings = settings
    hasNewSettings = true
    events.append(.settingsReceived)
  }

  // MARK: Going away

  var isPeerGoingAway: Bool { goingAway.isPeerGoingAway }

  /// The time at which the final GOAWAY is due.
  var goAwayDeadline: Timestamp? { goingAway.deadline }

  func peerDidGoAway(firstUnprocessed id: StreamID) {
    goingAway.peerDidAnnounce()
    events.append(.goAwayReceived(firstUnprocessed: id))
  }

  func goAway() { goingAway.begin() }

  /// The first step, taken in a write pass because it needs the time.
  func startGoAway(at now: Timestamp, wait: @autoclosure () -> Duration) {
    guard let session, goingAway.takeNotice(at: now, wait: wait()) else { return }
    _ = nghttp3_conn_submit_shutdown_notice(session)
  }

  /// The last step, when its time has come or, without one, at once.
  func finishGoingAway(at now: Timestamp? = nil) {
    let isTaken = if let now { goingAway.takeFinal(at: now) } else { goingAway.takeFinal() }
    if isTaken, let session { _ = nghttp3_conn_shutdown(session) }
  }

  // MARK: Reading

  func receive(_ bytes: UnsafeRawBufferPointer, on id: StreamID, at offset: UInt64, isLast: Bool) throws(HTTP3Error) {
    qlog?.streamDataReceived(bytes, on: id)
    defer { if !refused.isEmpty { endRefused() } }
    guard id.isUnidirectional else {
      if let stream = requests.stream(id), try !mayRead(bytes, of: stream, isLast: isLast) { return }
      return try read(bytes, on: id, isLast: isLast)
    }
    switch peerStreams.read(bytes, on: id, at: offset, isLast: isLast, fieldLines) {
    case .asReceived: try read(bytes, on: id, isLast: isLast)
    case .pieces(let pieces):
      try pieces.withUnsafeBufferPointer { (buffer) throws(HTTP3Error) in
        try read(UnsafeRawBufferPointer(buffer), on: id, isLast: isLast)
      }
    case .incomplete: break
    case .dropped(let count): quic.credit(count, on: id)
    case .breach(let error): throw error
    }
  }

  private func read(_ bytes: UnsafeRawBufferPointer, on id: StreamID, isLast: Bool) throws(HTTP3Error) {
    guard let session else { throw Self.cannotBegin }
    let consumed = nghttp3_conn_read_stream(
      session, id.rawValue, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, isLast ? 1 : 0)
    guard consumed >= 0 else { throw error(Int32(consumed), on: id) }
    if let breach = repeats?.takeBreach() { throw breach }
    if isServer, id.isUnidirectional { readPriorityUpdates(bytes, on: id) }
    // Framing only: body bytes are credited when the application has taken them (nghttp3 never counts them here).
    quic.credit(consumed, on: id)
  }

  /// The library (1.8) heeds PRIORITY_UPDATE by itself, but not for a stream whose priority we have set.
  private func readPriorityUpdates(_ bytes: UnsafeRawBufferPointer, on id: StreamID) {
    for update in priorityUpdates.read(bytes, on: id) where requests.stream(update.id)?.order == .inTurns {
      schedule(update.id, update.priority)
    }
  }

  /// Gives up a stream whose peer passed one of our limits.
  func refuse(_ stream: StreamState, _ code: ApplicationErrorCode) {
    stream.fields = []
    requests.reportReset(stream.id, code: code, side: .local)
    stream.send.reset()
    // ngtcp2 (1.11) frees what it holds of a stream that is shut down, which may be what nghttp3 reads at this moment.
    refused.append((stream.id, code))
  }

  /// Ends the streams that were given up meanwhile.
  private func endRefused() {
    for (id, code) in refused { quic.abandon(id, code: code) }
    refused = []
  }

  // MARK: Streams

  func didAcknowledge(_ count: UInt64, on id: StreamID) throws(HTTP3Error) {
    guard let session else { return }
    let count = repeatSetting?.didAcknowledge(count, on: id) ?? count
    try check(nghttp3_conn_add_ack_offset(session, id.rawValue, count))
  }

  /// A critical stream may not be reset (RFC 9114 § 6.2.1).
  func checkReset(of id: StreamID) throws(HTTP3Error) {
    guard peerStreams.isCritical(id) else { return }
    throw HTTP3Error(.application(.closedCriticalStream), "The peer reset a stream that HTTP/3 cannot do without.")
  }

  func didStopReading(_ id: StreamID) throws(HTTP3Error) {
    guard let session else { return }
    let code = nghttp3_conn_shutdown_stream_read(session, id.rawValue)
    if code != NGHTTP3_ERR_STREAM_NOT_FOUND { try check(code) }
  }

  func streamDidClose(_ id: StreamID, code: ApplicationErrorCode?) throws(HTTP3Error) {
    requests.willClose(id, code: code)
    // A request's fields may still be decoded.
    if id.isUnidirectional { qlog?.streamClosed(id) }
    priorityUpdates.didClose(id)
    quic.creditConnection(peerStreams.didClose(id))
    guard let session else { return }
    // Calls back `messageStreamDidClose`: at once, or later when the stream's fields wait for QPACK's encoder stream,
    // which may arrive after the stream itself is complete.
    let result = nghttp3_conn_close_stream(session, id.rawValue, (code ?? .noError).rawValue)
    if result == NGHTTP3_ERR_STREAM_NOT_FOUND {
      markUsed(id)
      return messageStreamDidClose(id)
    }
    try check(result)
    if let stream = requests.stream(id) { keepFromSending(stream) }
  }

  /// The last callback for a request stream.
  func messageStreamDidClose(_ id: StreamID) {
    heldEnds.remove(id)
    qlog?.streamClosed(id)
    requests.didClose(id)
  }

  /// Nothing is ever sent on this stream again, which is closed and waits for QPACK's table: the library (1.8) frees it as
  /// soon as its fields are read, and would use it afterwards if anything had put it among those that have something to send.
  private func keepFromSending(_ stream: StreamState) {
    requests.reportStop(of: stream)
    stream.send.reset()
    stream.order = .asAsked
    heldEnds.remove(stream.id)
    guard isServer, let session else { return }
    // With a priority of ours, were it the same, the library heeds no PRIORITY_UPDATE.
    var priority = nghttp3_pri()
    guard CQUIC_http_get_stream_priority(session, &priority, stream.id.rawValue) == 0 else { return }
    _ = CQUIC_http_set_server_stream_priority(session, stream.id.rawValue, &priority)
  }

  /// A request stream that ended before its first byte is unknown to nghttp3 (1.8), which makes one for each
  /// PRIORITY_UPDATE of an unused id; nobody would ever close those.
  private func markUsed(_ id: StreamID) {
    guard isServer, !id.isUnidirectional, !goingAway.hasBegun, let session else { return }
    guard nghttp3_conn_read_stream(session, id.rawValue, nil, 0, 0) == 0 else { return }
    nghttp3_conn_close_stream(session, id.rawValue, ApplicationErrorCode.noError.rawValue)
  }

  // MARK: Writing

  func nextData(_ vectors: UnsafeMutableBufferPointer<nghttp3_vec>) throws(HTTP3Error) -> StreamMapping.StreamData {
    guard let session, quic.isWindowOpen else { return .nothing }
    if !heldEnds.isEmpty,
      let id = heldEnds.forgotten({ requests.stream($0)?.sendBuffer.byteCount ?? 0 == 0 })
    {
      return StreamMapping.StreamData(id: id.rawValue, isLast: true, vectorCount: 0)
    }
    var id: Int64 = -1
    var isLast: Int32 = 0
    var count = nghttp3_conn_writev_stream(session, &id, &isLast, vectors.baseAddress, vectors.count)
    guard count >= 0 else { throw error(Int32(clamping: count)) }
    if let repeatSetting { count = repeatSetting.replace(vectors, count: count, on: StreamID(id)) }
    return StreamMapping.StreamData(id: id, isLast: isLast != 0, vectorCount: count)
  }

  /// Reports to the library what a packet took, and remembers a message's end that none did.
  func didSend(_ data: StreamMapping.StreamData, count: ngtcp2_ssize) {
    let id = StreamID(data.id)
    guard count >= 0 else {
      if data.isLast, data.vectorCount == 0, requests.stream(id) != nil { heldEnds.insert(id) }
      return
    }
    if data.isLast { heldEnds.remove(id) }
    // Nobody else asks whether something has left, and looking up the stream for each packet costs.
    if configuration.usesDatagrams || data.isLast { requests.stream(id)?.send.didSend(isEnd: data.isLast) }
    let count = repeatSetting?.didSend(count, on: id) ?? count
    if let session { _ = nghttp3_conn_add_write_offset(session, data.id, count) }
  }

  func block(_ id: StreamID) {
    if let session { nghttp3_conn_block_stream(session, id.rawValue) }
  }

  func unblock(_ id: StreamID) throws(HTTP3Error) {
    if let session { try check(nghttp3_conn_unblock_stream(session, id.rawValue)) }
  }

  func stopWriting(_ id: StreamID) {
    heldEnds.remove(id)
    requests.didStopWriting(id)
    if let session { nghttp3_conn_shutdown_stream_write(session, id.rawValue) }
  }
}
