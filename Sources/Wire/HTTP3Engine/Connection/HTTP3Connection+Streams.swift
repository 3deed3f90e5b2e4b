extension HTTP3Connection {
  // MARK: Requests and responses

  /// Opens a stream with a request; pseudo-fields come first. A client's call.
  ///
  /// Throws `streamLimitReached` while the peer allows no more (or the handshake is not complete), `goingAway` after a
  /// GOAWAY, `invalidMessage` for fields that cannot be sent.
  package func sendRequest(_ fields: [HeaderField], endStream: Bool) throws(HTTP3Error) -> StreamID {
    try requireActive()
    return try mapping.sendRequest(fields, endStream: endStream, isReady: handshake != nil || isSendingEarlyData)
  }

  /// Sends an interim response (1xx). A server's call, before ``sendResponse(_:on:endStream:)``.
  package func sendInformational(_ fields: [HeaderField], on id: StreamID) throws(HTTP3Error) {
    try requireActive()
    try mapping.sendInformational(fields, on: id)
  }

  /// Sends the final response's fields; with `endStream` there is no body. A server's call.
  package func sendResponse(_ fields: [HeaderField], on id: StreamID, endStream: Bool) throws(HTTP3Error) {
    try requireActive()
    guard !endStream, let repeats, let terms = repeats.confirmation(of: fields, on: id) else {
      return try mapping.sendResponse(fields, on: id, endStream: endStream)
    }
    try mapping.sendResponse(fields + [terms.field], on: id, endStream: endStream)
    repeats.begin(id, terms)
  }

  /// Adds body bytes; they wait in memory until they are acknowledged, so watch ``bufferedBytes(on:)``.
  package func sendBody(_ bytes: [UInt8], on id: StreamID, endStream: Bool) throws(HTTP3Error) {
    try requireActive()
    try mapping.sendBody(bytes, on: id, endStream: endStream)
  }

  /// Ends the message with trailers.
  package func sendTrailers(_ fields: [HeaderField], on id: StreamID) throws(HTTP3Error) {
    try requireActive()
    try mapping.sendTrailers(fields, on: id)
  }

  /// Body bytes of the stream that wait or are in flight.
  package func bufferedBytes(on id: StreamID) -> Int { mapping.requests?.stream(id)?.sendBuffer.byteCount ?? 0 }

  /// Whether the peer's flow control lets the stream send at least one more byte now.
  package func hasCredit(on id: StreamID) -> Bool { !isClosed && quic.streams.hasCredit(on: id) }

  /// The number of requests that the peer allows now, beside those that run.
  package var requestStreamsLeft: Int { isClosed ? 0 : quic.streams.requestsLeft }

  package var openStreamCount: Int { mapping.requests?.count ?? 0 }

  /// The application has taken `count` body bytes: the peer may send that many more.
  package func consume(_ count: Int, on id: StreamID) {
    if !isClosed { mapping.requests?.consume(count, on: id) }
  }

  /// Gives the stream up in both directions with STOP_SENDING and RESET_STREAM; harmless when it is over already.
  package func cancel(_ id: StreamID, code: ApplicationErrorCode) {
    guard !isClosed else { return }
    datagrams.removeAll(of: id)
    mapping.cancel(id, code: code)
  }

  /// Wants no more of the peer's message and says so with STOP_SENDING (H3_NO_ERROR); ours continues (RFC 9114 § 4.1).
  package func stopReading(_ id: StreamID) {
    if !isClosed { mapping.requests?.stopReading(id) }
  }

  /// Asks the server to send the rest of the response sooner or later than was asked before, with PRIORITY_UPDATE
  /// (RFC 9218 § 7.2); does nothing when the stream is over. A client's call.
  package func setPriority(_ priority: StreamPriority, of id: StreamID) {
    if !isClosed { mapping.http3?.setPriority(priority, of: id) }
  }

  /// The priority that a server schedules the response by, nil when the stream is unknown.
  package func priority(of id: StreamID) -> StreamPriority? { mapping.http3?.priority(of: id) }

  /// Asks the peer to send no new request; running ones continue (RFC 9114 § 5.2).
  package func goAway() {
    if !isClosed { mapping.http3?.goAway() }
  }

  /// The final GOAWAY, without the round trip's wait for requests that are on their way.
  package func finishGoingAway() {
    if !isClosed, handshake != nil { mapping.http3?.finishGoingAway() }
  }

  /// Frees the bodies of a closed connection, of which nothing is sent again.
  func dropBodies() {
    if isClosed { mapping.requests?.removeAll() }
  }

  /// The streams of a peer that breaks the rules, for tests; nil for any other.
  package var raw: RawStreams? { mapping.raw }

  private func requireActive() throws(HTTP3Error) {
    guard !isClosed else { throw HTTP3Error(.connectionClosed, "The connection is closed.") }
  }

  /// Whether the stream's request began as early data, of a handshake that was not complete: it may be a replay. A
  /// server's call.
  package func arrivedEarly(_ id: StreamID) -> Bool { mapping.arrivedEarly(id) }

  // MARK: Datagrams

  /// Sends a datagram that belongs to a request whose stream we may still write to, as soon as the congestion window
  /// allows, before all stream data.
  ///
  /// Throws `datagramsUnavailable` where it was not agreed on (yet), `streamClosed`, `datagramTooLarge`, and
  /// `datagramQueueFull` while others wait.
  package func sendDatagram(_ payload: [UInt8], on id: StreamID) throws(HTTP3Error) {
    let stream = isClosed ? nil : mapping.requests?.stream(id)
    try datagrams.send(
      payload, on: id, limit: datagramLimit(on: id), isWritable: stream.map { !$0.send.isOver } ?? false)
  }

  /// The largest payload that can be sent now, in bytes; nil where datagrams were not agreed on (yet). It grows and
  /// shrinks with the path's MTU.
  package func datagramLimit(on id: StreamID) -> Int? { datagrams.limit(on: id) }
}
