import CQUIC

// What the owner sends: messages, their ends, and their priorities.

extension HTTP3Mapping {
  func sendRequest(_ fields: [HeaderField], endStream: Bool) throws(HTTP3Error) -> StreamID {
    guard !isPeerGoingAway else {
      throw HTTP3Error(.goingAway, "The server is going away; send the request on a new connection.")
    }
    let wish = repeats?.field(for: fields)
    let fields = wish.map { fields + [$0] } ?? fields
    let section = try FieldSection(fields)
    guard let session, let id = quic.open(isBidirectional: true) else {
      throw HTTP3Error(.streamLimitReached, "The server allows no more requests at once; wait for one to end.")
    }
    let stream = requests.insert(id)
    stream.send.begin()
    stream.watch = MessageWatch(fieldSectionLimit: configuration.maximumFieldSectionSize, isOfServer: true)
    if wish != nil { repeats?.begin(stream) }
    let code = section.withFields { pointer, count in
      if endStream { return nghttp3_conn_submit_request(session, id.rawValue, pointer, count, nil, nil) }
      var reader = HTTP3Callbacks.bodyReader
      return nghttp3_conn_submit_request(session, id.rawValue, pointer, count, &reader, nil)
    }
    if endStream { stream.send.finish() }
    guard code == 0 else {
      cancel(id, code: .internalError)
      throw HTTP3Error(.invalidMessage, "The request cannot be sent: \(Self.message(code)).")
    }
    qlog?.willSend(fields, on: id)
    return id
  }

  func sendInformational(_ fields: [HeaderField], on id: StreamID) throws(HTTP3Error) {
    let code = try FieldSection(fields).withFields { nghttp3_conn_submit_info(session, id.rawValue, $0, $1) }
    try checkSubmission(code)
    qlog?.willSend(fields, on: id)
  }

  func sendResponse(_ fields: [HeaderField], on stream: StreamState, endStream: Bool) throws(HTTP3Error) {
    let id = stream.id
    let code = try FieldSection(fields).withFields { pointer, count in
      if endStream { return nghttp3_conn_submit_response(session, id.rawValue, pointer, count, nil) }
      var reader = HTTP3Callbacks.bodyReader
      return nghttp3_conn_submit_response(session, id.rawValue, pointer, count, &reader)
    }
    try checkSubmission(code)
    qlog?.willSend(fields, on: id)
    stream.send.begin()
    if endStream { stream.send.finish() }
  }

  /// There is more of a body, or its end.
  func resume(_ id: StreamID) { _ = nghttp3_conn_resume_stream(session, id.rawValue) }

  func cancel(_ id: StreamID, code: ApplicationErrorCode) {
    guard let stream = requests.cancel(id, code: code) else { return }
    if let session { nghttp3_conn_shutdown_stream_write(session, id.rawValue) }
    stream.sendBuffer.drop()
  }

  private func checkSubmission(_ code: Int32) throws(HTTP3Error) {
    guard code != 0 else { return }
    throw HTTP3Error(.invalidMessage, "The message cannot be sent: \(Self.message(code)).")
  }

  /// The library asks for the next bytes of a body.
  func readBody(
    _ id: StreamID, _ vectors: UnsafeMutablePointer<nghttp3_vec>, _ capacity: Int,
    _ flags: UnsafeMutablePointer<UInt32>
  ) -> nghttp3_ssize {
    guard let buffer = requests.stream(id)?.sendBuffer else { return nghttp3_ssize(NGHTTP3_ERR_WOULDBLOCK) }
    let count = buffer.read(into: vectors, capacity: capacity)
    if buffer.isFinished, !buffer.hasUnsent {
      flags.pointee |= UInt32(NGHTTP3_DATA_FLAG_EOF)
      if let trailers = buffer.takeTrailers(), let section = try? FieldSection(trailers) {
        flags.pointee |= UInt32(NGHTTP3_DATA_FLAG_NO_END_STREAM)
        let code = section.withFields { nghttp3_conn_submit_trailers(session, id.rawValue, $0, $1) }
        guard code == 0 else { return nghttp3_ssize(NGHTTP3_ERR_CALLBACK_FAILURE) }
        qlog?.willSend(trailers, on: id)
      }
    } else if count == 0 {
      return nghttp3_ssize(NGHTTP3_ERR_WOULDBLOCK)
    }
    return count
  }

  // MARK: Priorities (RFC 9218)

  /// Sends PRIORITY_UPDATE (§ 7.2); a client's call.
  func setPriority(_ priority: StreamPriority, of id: StreamID) {
    guard !isServer, let session, requests.stream(id) != nil else { return }
    let value = Array(priority.fieldValue.utf8)
    _ = nghttp3_conn_set_client_stream_priority(session, id.rawValue, value, value.count)
  }

  /// The priority that a server schedules the response by, nil when the stream is unknown.
  func priority(of id: StreamID) -> StreamPriority? {
    guard let session, isServer else { return nil }
    var priority = nghttp3_pri()
    guard CQUIC_http_get_stream_priority(session, &priority, id.rawValue) == 0 else { return nil }
    return StreamPriority(priority)
  }

  /// Responses take turns unless the client asks for another order: by the default of § 4.2 a large one would be sent whole
  /// before an event of a later stream.
  func shareBandwidth(_ stream: StreamState, _ fields: [HeaderField]) {
    // A PRIORITY_UPDATE may have come before its request (§ 7.2).
    guard !fields.contains(where: { $0.name == "priority" }), priority(of: stream.id) == StreamPriority() else {
      return
    }
    stream.order = .inTurns
    schedule(stream.id, StreamPriority(isIncremental: true))
  }

  func schedule(_ id: StreamID, _ priority: StreamPriority) {
    guard let session else { return }
    var priority = priority.forLibrary
    _ = CQUIC_http_set_server_stream_priority(session, id.rawValue, &priority)
  }

  /// The client may open request streams up to the `maximum`th. nghttp3 refuses a PRIORITY_UPDATE beyond the limit that it
  /// knows, which grows with QUIC's.
  func allowRequests(upTo maximum: UInt64) {
    if isServer, let session { nghttp3_conn_set_max_client_streams_bidi(session, maximum) }
  }
}
