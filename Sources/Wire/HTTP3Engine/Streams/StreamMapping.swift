import CQUIC

/// The protocol that a connection's streams carry. The connection has QUIC's handshake, paths and packets; this has all
/// that happens on streams. No protocol type stands between the two, whose calls are made for each packet.
enum StreamMapping {
  /// RFC 9114.
  case http3(HTTP3Mapping)
  case http09(HTTP09Mapping)
  /// Any bytes, for tests.
  case raw(RawStreams)

  /// Bytes that go out next on one stream, laid out in the caller's vectors.
  struct StreamData {
    var id: Int64
    var isLast: Bool
    var vectorCount: Int

    /// For a packet of other frames.
    static let nothing = StreamData(id: -1, isLast: false, vectorCount: 0)
  }

  init(_ configuration: ConnectionConfiguration, isServer: Bool, events: EventQueue) {
    if configuration.isRaw {
      self = .raw(RawStreams())
    } else if configuration.mapping == .http09 {
      self = .http09(HTTP09Mapping(configuration, isServer: isServer, events: events))
    } else {
      self = .http3(HTTP3Mapping(configuration, isServer: isServer, events: events))
    }
  }

  /// Called once, when the library has made the connection.
  func attach(to quic: QUICStreams, qlog: QlogTrace?) {
    switch self {
    case .http3(let http3): http3.attach(to: quic, qlog: qlog)
    case .http09(let http09): http09.attach(to: quic, qlog: qlog)
    case .raw(let raw): raw.attach(to: quic)
    }
  }

  /// Streams with a request each; a raw connection has none.
  var requests: RequestStreams? {
    switch self {
    case .http3(let http3): http3.requests
    case .http09(let http09): http09.requests
    case .raw: nil
    }
  }

  var http3: HTTP3Mapping? {
    if case .http3(let http3) = self { http3 } else { nil }
  }

  var raw: RawStreams? {
    if case .raw(let raw) = self { raw } else { nil }
  }

  /// Whether requests may be sent, as far as this protocol goes.
  var isOpen: Bool {
    switch self {
    case .http3(let http3): http3.isOpen
    case .http09: true
    case .raw: false
    }
  }

  /// The peer's SETTINGS, once they are known.
  var peerSettings: PeerSettings? {
    switch self {
    case .http3(let http3): http3.peerSettings
    // It has no SETTINGS that tickets would wait for.
    case .http09: .unknown
    case .raw: nil
    }
  }

  // MARK: Streams

  /// Begins, as soon as there are keys for it; harmless when it has begun.
  func open() throws(HTTP3Error) {
    if case .http3(let http3) = self { try http3.open() }
  }

  /// Begins again where the server refused early data, whose streams are gone on both sides.
  func restart(_ reason: HTTP3Error) throws(HTTP3Error) {
    switch self {
    case .http3(let http3): try http3.restart(reason)
    case .http09(let http09): http09.restart(reason)
    case .raw: break
    }
  }

  /// The client has opened a stream, with data or with a frame about it.
  func streamDidOpen(_ id: StreamID) {
    guard !id.isUnidirectional else { return }
    switch self {
    case .http3(let http3): http3.streamDidOpen(id)
    case .http09(let http09): http09.streamDidOpen(id)
    case .raw: break
    }
  }

  /// Takes bytes of the peer's, in order.
  ///
  /// - Parameter isEarly: whether they came before the handshake was complete, so that they may be a replay.
  func receive(
    _ bytes: UnsafeRawBufferPointer, on id: StreamID, at offset: UInt64, isLast: Bool, isEarly: Bool
  ) throws(HTTP3Error) {
    // Marked before it is read: nghttp3 does not hand the mark on, and may hand on the fields much later.
    if isEarly, !id.isUnidirectional { markEarly(id) }
    switch self {
    case .http3(let http3): try http3.receive(bytes, on: id, at: offset, isLast: isLast)
    case .http09(let http09): http09.receive(bytes, on: id, isLast: isLast)
    case .raw(let raw): raw.take(bytes, on: id)
    }
  }

  /// Whether the stream began as early data.
  func arrivedEarly(_ id: StreamID) -> Bool {
    if case .raw(let raw) = self { raw.early.contains(id) } else { requests?.arrivedEarly(id) ?? false }
  }

  private func markEarly(_ id: StreamID) {
    if case .raw(let raw) = self { raw.early.insert(id) } else { requests?.markEarly(id) }
  }

  /// The peer has `count` more bytes of ours.
  func didAcknowledge(_ count: UInt64, on id: StreamID) throws(HTTP3Error) {
    switch self {
    case .http3(let http3): try http3.didAcknowledge(count, on: id)
    case .http09(let http09): http09.didAcknowledge(count, on: id)
    case .raw: break
    }
  }

  /// QUIC has closed the stream, with the code of a reset if there was one.
  func streamDidClose(_ id: StreamID, code: ApplicationErrorCode?) throws(HTTP3Error) {
    switch self {
    case .http3(let http3): try http3.streamDidClose(id, code: code)
    case .http09(let http09): http09.streamDidClose(id, code: code)
    case .raw(let raw): if code == nil { raw.didComplete(id) }
    }
  }

  /// Whether a peer may reset the stream; throws where it may not.
  func checkReset(of id: StreamID) throws(HTTP3Error) {
    if case .http3(let http3) = self { try http3.checkReset(of: id) }
  }

  func streamDidReset(_ id: StreamID, code: ApplicationErrorCode) throws(HTTP3Error) {
    requests?.reportReset(id, code: code, side: .remote)
    try didStopReading(id)
  }

  func didStopReading(_ id: StreamID) throws(HTTP3Error) {
    if case .http3(let http3) = self { try http3.didStopReading(id) }
  }

  /// The client may open streams up to the `maximum`th.
  func allowRequests(upTo maximum: UInt64) {
    if case .http3(let http3) = self { http3.allowRequests(upTo: maximum) }
  }

  // MARK: Writing

  /// The bytes that go out next.
  func nextData(_ vectors: UnsafeMutableBufferPointer<nghttp3_vec>) throws(HTTP3Error) -> StreamData {
    switch self {
    case .http3(let http3): try http3.nextData(vectors)
    case .http09(let http09): http09.nextData(vectors)
    case .raw(let raw): raw.nextData(vectors)
    }
  }

  /// A packet took the first `count` bytes; less than zero where it took not even an end without bytes.
  func didSend(_ data: StreamData, count: ngtcp2_ssize) {
    guard data.id >= 0 else { return }
    switch self {
    case .http3(let http3): http3.didSend(data, count: count)
    case .http09(let http09): if count >= 0 { http09.didSend(count, on: StreamID(data.id), isLast: data.isLast) }
    case .raw(let raw): if count >= 0 { raw.didSend(count, on: data.id) }
    }
  }

  /// The stream waits for flow control.
  func block(_ id: StreamID) {
    switch self {
    case .http3(let http3): http3.block(id)
    case .http09(let http09): http09.block(id)
    case .raw(let raw): raw.block(id.rawValue)
    }
  }

  func unblock(_ id: StreamID) throws(HTTP3Error) {
    switch self {
    case .http3(let http3): try http3.unblock(id)
    case .http09(let http09): http09.unblock(id)
    case .raw(let raw): raw.unblock(id.rawValue)
    }
  }

  /// Nothing can be sent on the stream any more.
  func stopWriting(_ id: StreamID) {
    switch self {
    case .http3(let http3): http3.stopWriting(id)
    case .http09(let http09): http09.stopWriting(id)
    case .raw(let raw): raw.forget(id.rawValue)
    }
  }
}
