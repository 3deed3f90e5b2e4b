import CQUIC

extension HTTP3Connection {
  /// Opens a stream with a request; pseudo-fields come first. A client's call.
  ///
  /// Throws `streamLimitReached` while the peer allows no more (or the handshake is not complete), `goingAway` after a
  /// GOAWAY, `invalidMessage` for fields that cannot be sent.
  package func sendRequest(
    _ fields: [HeaderField], endStream: Bool
  ) throws(HTTP3Error) -> StreamID {
    try requireActive()
    guard !goingAway.isPeerGoingAway else {
      throw HTTP3Error(.goingAway, "The server is going away; send the request on a new connection.")
    }
    if http09 != nil { return try sendHTTP09Request(fields, endStream: endStream) }
    let section = try FieldSection(fields)
    var rawID: Int64 = -1
    guard let http, ngtcp2_conn_open_bidi_stream(quic, &rawID, nil) == 0 else {
      throw HTTP3Error(.streamLimitReached, "The server allows no more requests at once; wait for one to end.")
    }
    let stream = StreamState(StreamID(rawID))
    streams[stream.id] = stream
    stream.hasSentFields = true
    stream.response = ResponseWatch(
      fieldSectionLimit: configuration.maximumFieldSectionSize, isOfServer: true)
    let code = section.withFields { pointer, count in
      if endStream { return nghttp3_conn_submit_request(http, rawID, pointer, count, nil, nil) }
      var reader = Self.bodyReader
      return nghttp3_conn_submit_request(http, rawID, pointer, count, &reader, nil)
    }
    stream.isWritingOver = endStream
    guard code == 0 else {
      cancel(stream.id, code: .internalError)
      throw HTTP3Error(.invalidMessage, "The request cannot be sent: \(Self.httpMessage(code)).")
    }
    qlog?.willSend(fields, on: stream.id)
    return stream.id
  }

  /// Sends an interim response (1xx). A server's call, before ``sendResponse(_:on:endStream:)``.
  package func sendInformational(_ fields: [HeaderField], on id: StreamID) throws(HTTP3Error) {
    let stream = try writable(id)
    guard !stream.hasSentFields else {
      throw HTTP3Error(.invalidMessage, "An interim response comes before the final one.")
    }
    // HTTP/0.9 has no fields to send it in.
    guard http09 == nil else { return }
    let code = try FieldSection(fields).withFields { nghttp3_conn_submit_info(http, id.rawValue, $0, $1) }
    try check(code)
    qlog?.willSend(fields, on: id)
  }

  /// Sends the final response's fields; with `endStream` there is no body. A server's call.
  package func sendResponse(
    _ fields: [HeaderField], on id: StreamID, endStream: Bool
  ) throws(HTTP3Error) {
    let stream = try writable(id)
    guard !stream.hasSentFields else {
      throw HTTP3Error(.invalidMessage, "A request has one final response.")
    }
    if http09 != nil { return sendHTTP09Response(fields, on: stream, endStream: endStream) }
    let code = try FieldSection(fields).withFields { pointer, count in
      if endStream { return nghttp3_conn_submit_response(http, id.rawValue, pointer, count, nil) }
      var reader = Self.bodyReader
      return nghttp3_conn_submit_response(http, id.rawValue, pointer, count, &reader)
    }
    try check(code)
    qlog?.willSend(fields, on: id)
    stream.hasSentFields = true
    stream.isWritingOver = endStream
  }

  /// Adds body bytes; they wait in memory until they are acknowledged, so watch ``bufferedBytes(on:)``.
  package func sendBody(
    _ bytes: [UInt8], on id: StreamID, endStream: Bool
  ) throws(HTTP3Error) {
    let stream = try bodyWritable(id)
    stream.sendBuffer.append(bytes)
    if endStream {
      stream.sendBuffer.finish()
      stream.isWritingOver = true
    }
    if let http09 { return http09.resume(id) }
    _ = nghttp3_conn_resume_stream(http, id.rawValue)
  }

  /// Ends the message with trailers.
  package func sendTrailers(_ fields: [HeaderField], on id: StreamID) throws(HTTP3Error) {
    let stream = try bodyWritable(id)
    _ = try FieldSection(fields)
    if http09 != nil { return finishHTTP09(stream) }
    stream.sendBuffer.finish(trailers: fields)
    stream.isWritingOver = true
    _ = nghttp3_conn_resume_stream(http, id.rawValue)
  }

  /// Body bytes of the stream that wait or are in flight.
  package func bufferedBytes(on id: StreamID) -> Int {
    stream(id)?.sendBuffer.byteCount ?? 0
  }

  /// Whether the peer's flow control lets the stream send at least one more byte now.
  package func hasCredit(on id: StreamID) -> Bool {
    guard !isClosed else { return false }
    return ngtcp2_conn_get_max_data_left(quic) > 0 && ngtcp2_conn_get_max_stream_data_left(quic, id.rawValue) > 0
  }

  /// How many requests the peer allows now, beside those that run.
  package var requestStreamsLeft: Int { isClosed ? 0 : Int(clamping: ngtcp2_conn_get_streams_bidi_left(quic)) }

  /// The application has taken `count` body bytes: the peer may send that many more.
  ///
  /// A server's client had the connection's credit for them when they were delivered, so that uploads which nobody reads
  /// hold up no others: what each may send ahead its own window limits, and what all hold together the owner. The
  /// connection's window limits what came out of order.
  package func consume(_ count: Int, on id: StreamID) {
    guard !isClosed, let stream = stream(id) else { return }
    let taken = min(max(count, 0), stream.unconsumed)
    stream.unconsumed -= taken
    guard isServer else { return credit(taken, on: id) }
    if taken > 0 { _ = ngtcp2_conn_extend_max_stream_offset(quic, id.rawValue, UInt64(taken)) }
  }

  /// Gives the connection's credit back for delivered bytes that nobody takes any more; they would leak from its window.
  func returnCredit(for stream: StreamState) {
    if !isServer { ngtcp2_conn_extend_max_offset(quic, UInt64(stream.unconsumed)) }
    stream.unconsumed = 0
  }

  /// Gives the stream up in both directions with STOP_SENDING and RESET_STREAM; harmless when it is over already.
  package func cancel(_ id: StreamID, code: ApplicationErrorCode) {
    guard !isClosed, let stream = streams[id] else { return }
    stream.isReadingOver = true
    stream.isWritingOver = true
    datagrams.removeAll(of: id)
    http09?.forget(id)
    returnCredit(for: stream)
    ngtcp2_conn_shutdown_stream(quic, 0, id.rawValue, code.rawValue)
    if let http { nghttp3_conn_shutdown_stream_write(http, id.rawValue) }
    stream.sendBuffer.drop()
  }

  /// Wants no more of the peer's message and says so with STOP_SENDING (H3_NO_ERROR); ours goes on (RFC 9114 § 4.1).
  package func stopReading(_ id: StreamID) {
    guard !isClosed, let stream = streams[id], !stream.isReadingOver else { return }
    stream.isReadingOver = true
    returnCredit(for: stream)
    ngtcp2_conn_shutdown_stream_read(quic, 0, id.rawValue, ApplicationErrorCode.noError.rawValue)
  }

  /// Frees the bodies of a closed connection, of which nothing is sent again.
  func dropBodies() {
    guard isClosed, !streams.isEmpty else { return }
    streams = [:]
  }

  /// Tells the peer to send no new request; running ones go on (RFC 9114 § 5.2).
  package func goAway() {
    guard !isClosed else { return }
    goingAway.begin()
  }

  // MARK: Parts

  private func requireActive() throws(HTTP3Error) {
    guard !isClosed else { throw HTTP3Error(.connectionClosed, "The connection is closed.") }
  }

  private func writable(_ id: StreamID) throws(HTTP3Error) -> StreamState {
    try requireActive()
    guard let stream = stream(id), !stream.isWritingOver else {
      throw HTTP3Error(.streamClosed, "Stream \(id) takes no more.")
    }
    return stream
  }

  private func bodyWritable(_ id: StreamID) throws(HTTP3Error) -> StreamState {
    let stream = try writable(id)
    guard stream.hasSentFields else {
      throw HTTP3Error(.invalidMessage, "A body comes after the message's fields.")
    }
    return stream
  }

  private func check(_ code: Int32) throws(HTTP3Error) {
    guard code != 0 else { return }
    throw HTTP3Error(.invalidMessage, "The message cannot be sent: \(Self.httpMessage(code)).")
  }

  private static var bodyReader: nghttp3_data_reader {
    nghttp3_data_reader(read_data: { _, id, vectors, capacity, flags, userData, _ in
      guard let connection = connection(behind: userData), let vectors, let flags else {
        return nghttp3_ssize(NGHTTP3_ERR_CALLBACK_FAILURE)
      }
      return connection.readBody(StreamID(id), vectors, capacity, flags)
    })
  }

  private func readBody(
    _ id: StreamID, _ vectors: UnsafeMutablePointer<nghttp3_vec>, _ capacity: Int,
    _ flags: UnsafeMutablePointer<UInt32>
  ) -> nghttp3_ssize {
    guard let buffer = stream(id)?.sendBuffer else { return nghttp3_ssize(NGHTTP3_ERR_WOULDBLOCK) }
    let count = buffer.read(into: vectors, capacity: capacity)
    if buffer.isFinished, !buffer.hasUnsent {
      flags.pointee |= UInt32(NGHTTP3_DATA_FLAG_EOF)
      if let trailers = buffer.takeTrailers(), let section = try? FieldSection(trailers) {
        flags.pointee |= UInt32(NGHTTP3_DATA_FLAG_NO_END_STREAM)
        let code = section.withFields { nghttp3_conn_submit_trailers(http, id.rawValue, $0, $1) }
        guard code == 0 else { return nghttp3_ssize(NGHTTP3_ERR_CALLBACK_FAILURE) }
        qlog?.willSend(trailers, on: id)
      }
    } else if count == 0 {
      return nghttp3_ssize(NGHTTP3_ERR_WOULDBLOCK)
    }
    return count
  }
}
