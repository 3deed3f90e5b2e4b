/// The request streams of one connection, whatever protocol is spoken on them: the table, what QUIC's flow control is
/// given back, and their ends reported to the owner.
final class RequestStreams {
  private let isServer: Bool
  private let events: EventQueue
  private(set) var quic = QUICStreams()
  private var streams: [StreamID: StreamState] = [:] {
    didSet { recent = nil }
  }
  /// The one that was found last.
  private var recent: StreamState?
  /// The streams whose request began as early data (RFC 9001 § 4.6). The marks outlast the connection's end: its
  /// owner may look at a request that came just before.
  private var early: Set<StreamID> = []
  private var glitches = GlitchBudget()

  init(isServer: Bool, events: EventQueue) {
    self.isServer = isServer
    self.events = events
  }

  /// Called once, when the library has made the connection.
  func attach(to quic: QUICStreams) { self.quic = quic }

  // MARK: The table

  var count: Int { streams.count }

  /// The stream of this id. One is nearly always asked for several times in a row: hashing its id each time took 700 of the
  /// 22 000 instructions that both ends take for a packet.
  func stream(_ id: StreamID) -> StreamState? {
    if let recent, recent.id == id { return recent }
    guard let stream = streams[id] else { return nil }
    recent = stream
    return stream
  }

  /// Takes a stream in, in place of one of the same id.
  @discardableResult
  func insert(_ id: StreamID) -> StreamState {
    let stream = StreamState(id)
    streams[id] = stream
    return stream
  }

  /// Frees the bodies of a closed connection, of which nothing is sent again.
  func removeAll() {
    if !streams.isEmpty { streams = [:] }
  }

  /// A stream that may be written to.
  func writable(_ id: StreamID) throws(HTTP3Error) -> StreamState {
    guard let stream = stream(id), !stream.send.isOver else {
      throw HTTP3Error(.streamClosed, "Stream \(id) takes no more.")
    }
    return stream
  }

  /// A stream whose message's body may be written.
  func bodyWritable(_ id: StreamID) throws(HTTP3Error) -> StreamState {
    let stream = try writable(id)
    guard stream.send.hasFields else {
      throw HTTP3Error(.invalidMessage, "A body comes after the message's fields.")
    }
    return stream
  }

  // MARK: Early data

  func markEarly(_ id: StreamID) { early.insert(id) }

  func arrivedEarly(_ id: StreamID) -> Bool { early.contains(id) }

  // MARK: Bodies

  /// Hands on a part of a message's body.
  ///
  /// A server's client gets the connection's credit for it at once, so that uploads which nobody reads hold up no others:
  /// what each may send ahead its own window limits, and what all hold together the owner. The connection's window limits
  /// what came out of order.
  func didReceiveBody(_ bytes: UnsafeBufferPointer<UInt8>, on stream: StreamState) {
    stream.unconsumed += bytes.count
    if isServer { quic.creditConnection(bytes.count) }
    events.appendBody(bytes, on: stream.id)
  }

  /// The owner has taken `count` bytes of the body.
  func consume(_ count: Int, on id: StreamID) {
    guard let stream = stream(id) else { return }
    let before = stream.creditable
    stream.unconsumed -= min(max(count, 0), stream.unconsumed)
    let taken = before - stream.creditable
    if isServer { quic.creditStream(taken, of: id) } else { quic.credit(taken, on: id) }
  }

  /// Hands on a part of a response's body, which the stream may not have brought yet.
  func forward(_ bytes: UnsafeBufferPointer<UInt8>, on stream: StreamState) {
    guard !bytes.isEmpty else { return }
    stream.unconsumed += bytes.count
    events.appendBody(bytes, on: stream.id)
  }

  /// The peer has `count` more bytes of our body.
  ///
  /// - Parameter target: how much may wait before the owner should stop writing.
  func didAcknowledge(_ count: UInt64, on id: StreamID, target: Int) {
    guard let stream = stream(id) else { return }
    let buffer = stream.sendBuffer
    let before = buffer.byteCount
    buffer.acknowledge(Int(count))
    let after = buffer.byteCount
    // One event when the owner may write much again, not one for each acknowledgement: at half of the target, so that it
    // is not asked for every chunk.
    let low = max(target / 2, 1)
    if after == 0 || (before >= low && after < low) {
      events.append(.bodyAcknowledged(id, buffered: after))
    }
  }

  // MARK: Ends

  /// Counts the peer's RESET_STREAM where it takes back what has cost us work: once for each request, and not in answer to
  /// our own STOP_SENDING.
  func countReset(of id: StreamID, at now: Timestamp) throws(HTTP3Error) {
    if streams[id]?.receive.isOver != true { try spendGlitch(at: now) }
  }

  /// Counts a stream that was closed with a code by a STOP_SENDING in the middle of our message, unless its reset was
  /// counted.
  func countClosing(of id: StreamID, at now: Timestamp) throws(HTTP3Error) {
    guard let stream = streams[id], !stream.receive.isReset else { return }
    // A server may well want no more of an upload that it answers early (RFC 9114 § 4.1).
    guard !stream.send.isOver || isServer && stream.send.isStopped else { return }
    try spendGlitch(at: now)
  }

  private func spendGlitch(at now: Timestamp) throws(HTTP3Error) {
    guard !glitches.spend(at: now) else { return }
    throw HTTP3Error(.application(.excessiveLoad), "The peer takes its requests back as fast as it sends them.")
  }

  /// Reports once that the rest of a message will not come.
  func reportReset(_ id: StreamID, code: ApplicationErrorCode, side: HTTP3Error.Side) {
    guard let stream = streams[id], side == .remote ? stream.receive.reset() : stream.receive.stop() else { return }
    let error =
      code == .requestRejected
      ? HTTP3Error(.requestNotProcessed, side: side, "The server did not process the request; it may be sent again.")
      : HTTP3Error(
        .application(code), side: side,
        side == .remote ? "The peer reset the stream (\(code))." : "The stream broke HTTP/3's rules (\(code)).")
    events.append(.streamReset(id, error))
  }

  /// The peer takes no more of our message.
  func didStopWriting(_ id: StreamID) {
    guard let stream = streams[id], stream.send.stop() else { return }
    events.append(.stopSendingReceived(id, .requestCancelled))
  }

  /// Gives the stream up in both directions; nil when it is unknown.
  func cancel(_ id: StreamID, code: ApplicationErrorCode) -> StreamState? {
    guard let stream = streams[id] else { return nil }
    _ = stream.receive.stop()
    stream.send.reset()
    creditUnread(of: stream)
    quic.abandon(id, code: code)
    return stream
  }

  /// Wants no more of the peer's message; ours continues (RFC 9114 § 4.1).
  func stopReading(_ id: StreamID) {
    guard let stream = streams[id], stream.receive.stop() else { return }
    creditUnread(of: stream)
    quic.stopReading(id, code: .noError)
  }

  /// QUIC has closed the stream, with the code of a reset if there was one.
  func willClose(_ id: StreamID, code: ApplicationErrorCode?) { streams[id]?.closingCode = code }

  /// The last callback for a stream.
  func didClose(_ id: StreamID) {
    early.remove(id)
    guard let stream = streams.removeValue(forKey: id) else { return }
    creditUnread(of: stream)
    reportStop(of: stream)
    events.append(.streamClosed(id))
  }

  /// Reports that the peer wanted no more of our message before it was complete.
  func reportStop(of stream: StreamState) {
    if let code = stream.closingCode, !stream.send.isOver { events.append(.stopSendingReceived(stream.id, code)) }
  }

  /// Ends all, whose requests were not processed.
  func refuseAll(_ reason: HTTP3Error) {
    for id in streams.keys.sorted() {
      events.append(.streamReset(id, reason))
      events.append(.streamClosed(id))
    }
    streams = [:]
  }

  /// Gives the connection's credit back for delivered bytes that nobody takes any more; they would leak from its window.
  private func creditUnread(of stream: StreamState) {
    if !isServer { quic.creditConnection(stream.creditable) }
    stream.unconsumed = 0
  }
}
