import CQUIC

extension PeerSettings {
  fileprivate init(_ settings: nghttp3_settings) {
    self.init(
      maximumFieldSectionSize: settings.max_field_section_size,
      qpackTableCapacity: UInt64(settings.qpack_max_dtable_capacity),
      qpackBlockedStreams: UInt64(settings.qpack_blocked_streams),
      allowsExtendedConnect: settings.enable_connect_protocol != 0, allowsDatagrams: settings.h3_datagram != 0)
  }
}

private func result(_ isDone: Bool?) -> Int32 {
  isDone == true ? 0 : NGHTTP3_ERR_CALLBACK_FAILURE
}

extension HTTP3Connection {
  static func makeHTTPCallbacks() -> nghttp3_callbacks {
    var callbacks = nghttp3_callbacks()
    callbacks.acked_stream_data = { _, id, count, userData, _ in
      result(withConnection(behind: userData) { $0.bodyDidAcknowledge(count, on: StreamID(id)) })
    }
    callbacks.stream_close = { _, id, _, userData, _ in
      connection(behind: userData)?.messageStreamDidClose(StreamID(id))
      return 0
    }
    callbacks.recv_data = { _, id, data, count, userData, _ in
      result(
        withConnection(behind: userData) {
          $0.didReceiveBody(UnsafeBufferPointer(start: data, count: count), on: StreamID(id))
        })
    }
    callbacks.deferred_consume = { _, id, count, userData, _ in
      connection(behind: userData)?.credit(count, on: StreamID(id))
      return 0
    }
    callbacks.begin_headers = { _, id, userData, _ in result(connection(behind: userData)?.beginFields(StreamID(id))) }
    callbacks.recv_header = { _, id, _, name, value, _, userData, _ in
      result(connection(behind: userData)?.didReceiveField(name, value, on: StreamID(id)))
    }
    callbacks.end_headers = { _, id, _, userData, _ in
      result(connection(behind: userData)?.headersDidEnd(StreamID(id)))
    }
    callbacks.begin_trailers = { _, id, userData, _ in result(connection(behind: userData)?.beginFields(StreamID(id))) }
    callbacks.recv_trailer = { _, id, _, name, value, _, userData, _ in
      result(connection(behind: userData)?.didReceiveField(name, value, on: StreamID(id)))
    }
    callbacks.end_trailers = { _, id, _, userData, _ in
      result(connection(behind: userData)?.trailersDidEnd(StreamID(id)))
    }
    callbacks.end_stream = { _, id, userData, _ in
      result(connection(behind: userData)?.messageDidEnd(StreamID(id)))
    }
    callbacks.stop_sending = { _, id, code, userData, _ in
      connection(behind: userData)?.libraryStopsReading(StreamID(id), code: ApplicationErrorCode(rawValue: code))
      return 0
    }
    callbacks.reset_stream = { _, id, code, userData, _ in
      guard let connection = connection(behind: userData) else { return 0 }
      ngtcp2_conn_shutdown_stream_write(connection.quic, 0, id, code)
      connection.streams[StreamID(id)]?.isWritingOver = true
      return 0
    }
    callbacks.shutdown = { _, id, userData in
      guard let connection = connection(behind: userData) else { return 0 }
      connection.goingAway.peerDidAnnounce()
      connection.events.append(.goAwayReceived(firstUnprocessed: StreamID(id)))
      return 0
    }
    callbacks.recv_settings = { _, settings, userData in
      guard let settings else { return NGHTTP3_ERR_CALLBACK_FAILURE }
      return result(connection(behind: userData)?.settingsDidArrive(PeerSettings(settings.pointee)))
    }
    return callbacks
  }

  /// The client has opened a stream, with data or with a frame about it.
  func streamDidOpen(_ id: StreamID) {
    guard raw == nil, !id.isUnidirectional else { return }
    // HTTP/0.9 makes its own when the first bytes come.
    if http09 == nil {
      let stream = StreamState(id)
      stream.response = ResponseWatch(fieldSectionLimit: configuration.maximumFieldSectionSize, isOfServer: false)
      streams[id] = stream
    }
    events.append(.requestBegan(id))
  }

  private func beginFields(_ id: StreamID) -> Bool {
    if streams[id] == nil { streams[id] = StreamState(id) }
    streams[id]?.fields = []
    streams[id]?.fieldSectionSize = 0
    return true
  }

  private func didReceiveField(_ name: OpaquePointer?, _ value: OpaquePointer?, on id: StreamID) -> Bool {
    guard let stream = streams[id], !stream.isReadingOver else { return true }
    let nameBytes = nghttp3_rcbuf_get_buf(name)
    let valueBytes = nghttp3_rcbuf_get_buf(value)
    stream.fieldSectionSize += nameBytes.len + valueBytes.len + 32
    guard stream.fieldSectionSize <= configuration.maximumFieldSectionSize else {
      refuse(stream, .excessiveLoad)
      return true
    }
    stream.fields.append(HeaderField(Self.text(nameBytes), Self.text(valueBytes)))
    return true
  }

  private static func text(_ bytes: nghttp3_vec) -> String {
    String(decoding: UnsafeBufferPointer(start: bytes.base, count: bytes.len), as: UTF8.self)
  }

  private func headersDidEnd(_ id: StreamID) -> Bool {
    guard let stream = streams[id], mayTakeFields(of: stream) else { return true }
    let fields = stream.fields
    stream.fields = []
    qlog?.didReceive(fields, on: id)
    let isInterim = !isServer && fields.contains { $0.name == ":status" && $0.value.hasPrefix("1") }
    guard isInterim else {
      if isServer { shareBandwidth(id, fields) }
      stream.response?.hasHead = true
      lookForStop(of: stream)
      events.append(.headersReceived(id, fields))
      return true
    }
    stream.informationalCount += 1
    if stream.informationalCount > 16 {
      refuse(stream, .excessiveLoad)
    } else {
      events.append(.informationalReceived(id, fields))
    }
    return true
  }

  private func trailersDidEnd(_ id: StreamID) -> Bool {
    guard let stream = streams[id] else { return true }
    stream.response?.hasTrailers = true
    guard mayTakeFields(of: stream) else { return true }
    qlog?.didReceive(stream.fields, on: id)
    events.append(.trailersReceived(id, stream.fields))
    stream.fields = []
    return true
  }

  private func didReceiveBody(_ bytes: UnsafeBufferPointer<UInt8>, on id: StreamID) -> Bool {
    guard let stream = stream(id), !stream.isReadingOver else {
      credit(bytes.count, on: id)
      return true
    }
    stream.unconsumed += bytes.count
    if isServer { ngtcp2_conn_extend_max_offset(quic, UInt64(bytes.count)) }
    events.appendBody(bytes, on: id)
    lookForStop(of: stream)
    return true
  }

  private func messageDidEnd(_ id: StreamID) -> Bool {
    guard let stream = streams[id], !stream.isReadingOver else { return true }
    stream.isReadingOver = true
    lookForStop(of: stream)
    events.append(.messageCompleted(id))
    return true
  }

  /// Offers the request's body again if it waits for flow control: that the server wants no more of it (STOP_SENDING) the
  /// library tells only then, and where it answers before it has all, that is likely (RFC 9114 § 4.1).
  private func lookForStop(of stream: StreamState) {
    guard !isServer, !stream.isWritingOver, let http else { return }
    _ = nghttp3_conn_unblock_stream(http, stream.id.rawValue)
  }

  func bodyDidAcknowledge(_ count: UInt64, on id: StreamID) -> Bool {
    guard let stream = stream(id) else { return true }
    let buffer = stream.sendBuffer
    let before = buffer.byteCount
    buffer.acknowledge(Int(count))
    let after = buffer.byteCount
    // One event when the owner may write much again, not one for each acknowledgement: at half of the target, so that it
    // is not asked for every chunk.
    let low = max(configuration.sendBufferTarget / 2, 1)
    if after == 0 || (before >= low && after < low) {
      events.append(.bodyAcknowledged(id, buffered: after))
    }
    return true
  }

  /// The library found the message malformed and wants no more of it.
  private func libraryStopsReading(_ id: StreamID, code: ApplicationErrorCode) {
    ngtcp2_conn_shutdown_stream_read(quic, 0, id.rawValue, code.rawValue)
    reportReset(id, code: code, side: .local)
  }

  /// Gives up a stream whose peer passed one of our limits.
  func refuse(_ stream: StreamState, _ code: ApplicationErrorCode) {
    stream.fields = []
    reportReset(stream.id, code: code, side: .local)
    stream.isWritingOver = true
    // ngtcp2 (1.11) frees what it holds of a stream that is shut down, which may be what nghttp3 reads at this moment.
    refused.append((stream.id, code))
  }

  /// A request stream that ended before its first byte is unknown to nghttp3 (1.8), which makes one for each
  /// PRIORITY_UPDATE of an unused id; nobody would ever close those.
  func markUsed(_ id: StreamID) {
    guard isServer, !id.isUnidirectional, !goingAway.hasBegun, let http else { return }
    guard nghttp3_conn_read_stream(http, id.rawValue, nil, 0, 0) == 0 else { return }
    nghttp3_conn_close_stream(http, id.rawValue, ApplicationErrorCode.noError.rawValue)
  }

  /// Ends the streams that were given up meanwhile.
  func endRefused() {
    for (id, code) in refused { ngtcp2_conn_shutdown_stream(quic, 0, id.rawValue, code.rawValue) }
    refused = []
  }
}
