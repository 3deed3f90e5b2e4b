import CQUIC

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
    try mapping.sendResponse(fields, on: id, endStream: endStream)
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
  package func hasCredit(on id: StreamID) -> Bool {
    guard !isClosed else { return false }
    return ngtcp2_conn_get_max_data_left(quic) > 0 && ngtcp2_conn_get_max_stream_data_left(quic, id.rawValue) > 0
  }

  /// How many requests the peer allows now, beside those that run.
  package var requestStreamsLeft: Int { isClosed ? 0 : Int(clamping: ngtcp2_conn_get_streams_bidi_left(quic)) }

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

  /// Wants no more of the peer's message and says so with STOP_SENDING (H3_NO_ERROR); ours goes on (RFC 9114 § 4.1).
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

  /// Tells the peer to send no new request; running ones go on (RFC 9114 § 5.2).
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

  private func requireActive() throws(HTTP3Error) {
    guard !isClosed else { throw HTTP3Error(.connectionClosed, "The connection is closed.") }
  }

  // MARK: Raw streams

  /// A stream for ``sendRaw(_:on:isLast:)``; nil while the peer allows none. Of a raw connection, as the others here.
  package func openRawStream(isBidirectional: Bool) -> StreamID? {
    isClosed ? nil : mapping.raw?.open(isBidirectional: isBidirectional)
  }

  package func sendRaw(_ bytes: [UInt8], on id: StreamID, isLast: Bool = false) {
    mapping.raw?.append(bytes, on: id, isLast: isLast)
  }

  /// A packet with these frames and nothing else, at most 1 000 bytes. Bytes on the stream `carrier`, which the peer does not
  /// see, make the library write a packet; the windows of stream and connection have to hold them. Where the packet counts
  /// as lost the library sends them as they are: they begin a stream of a reserved type (RFC 9114 § 6.2.3).
  ///
  /// - Parameter bits: set in the first byte of the packet's header, such as the reserved ones (RFC 9000 § 17.3.1).
  package func sendFrames(_ frames: [UInt8], carrier: StreamID, bits: UInt8 = 0) {
    mapping.raw?.append(frames: frames, on: carrier, bits: bits)
  }

  /// Puts these frames into the next packet of the handshake that has room for them, in place of its own.
  package func forgeHandshake(_ frames: [UInt8], inInitial: Bool) {
    mapping.raw?.forgeHandshake(frames, inInitial: inInitial)
  }

  /// Appends bytes to the CRYPTO stream of 1-RTT packets, or of Handshake packets as long as there are any.
  package func sendCrypto(_ bytes: [UInt8], inHandshake: Bool = false) {
    guard mapping.raw != nil, !isClosed, !bytes.isEmpty else { return }
    let level = inHandshake ? NGTCP2_ENCRYPTION_LEVEL_HANDSHAKE : NGTCP2_ENCRYPTION_LEVEL_1RTT
    ngtcp2_conn_submit_crypto_data(quic, level, bytes, bytes.count)
  }

  /// The peer's CONNECTION_CLOSE, RESET_STREAM and STOP_SENDING frames, in order.
  package var rawEndings: [QUICFrame] { mapping.raw?.endings ?? [] }

  /// Whether both sides of the stream ended well and the peer acknowledged all of ours.
  package func isRawCompleted(_ id: StreamID) -> Bool { mapping.raw?.completed.contains(id) ?? false }

  /// RESET_STREAM.
  package func resetRaw(_ id: StreamID, code: ApplicationErrorCode) {
    if !isClosed { mapping.raw?.reset(id, code: code) }
  }

  /// STOP_SENDING.
  package func stopRaw(_ id: StreamID, code: ApplicationErrorCode) {
    if !isClosed { mapping.raw?.stopReading(id, code: code) }
  }

  package func rawBytes(on id: StreamID) -> [UInt8] { mapping.raw?.received[id] ?? [] }

  /// Whether what the peer sends is given back to it at once; true at first.
  package var consumesRaw: Bool {
    get { mapping.raw?.consumes ?? false }
    set { mapping.raw?.consumes = newValue }
  }

  /// Has every packet's frames changed before it is sealed; the closure is given the first byte of the header.
  package func changePackets(_ change: ((UInt8, UnsafeMutableRawBufferPointer) -> Void)?) {
    mapping.raw?.change = change
  }
}
