import CQUIC

// The library's reports of the peer's messages, from inside its calls.

extension HTTP3Mapping {
  /// Interim responses of one request that are taken: a server may send any number.
  private static let interimLimit = 16

  /// The client has opened a stream, with data or with a frame about it.
  func streamDidOpen(_ id: StreamID) {
    let stream = requests.insert(id)
    stream.watch = MessageWatch(fieldSectionLimit: configuration.maximumFieldSectionSize, isOfServer: false)
    events.append(.requestBegan(id))
  }

  /// Looks at a message's next bytes before the library does; returns false where the stream has failed by them.
  func mayRead(
    _ bytes: UnsafeRawBufferPointer, of stream: StreamState, isLast: Bool
  ) throws(HTTP3Error) -> Bool {
    guard !stream.receive.isOver, stream.watch != nil else { return true }
    if let error = stream.watch?.breach(in: bytes) { throw error }
    // A stream that ends without a message fails alone (RFC 9114 § 4.1); the library ends the connection.
    guard isLast, stream.watch?.isEmpty ?? false else { return true }
    quic.credit(bytes.count, on: stream.id)
    refuse(stream, isServer ? .requestIncomplete : .messageError)
    return false
  }

  func beginFields(_ id: StreamID) {
    let stream = requests.stream(id) ?? requests.insert(id)
    stream.fields = []
    stream.fieldSectionSize = 0
  }

  func didReceiveField(_ name: OpaquePointer?, _ value: OpaquePointer?, on id: StreamID) {
    guard let stream = requests.stream(id), !stream.receive.isOver else { return }
    let nameBytes = nghttp3_rcbuf_get_buf(name)
    let valueBytes = nghttp3_rcbuf_get_buf(value)
    stream.fieldSectionSize += nameBytes.len + valueBytes.len + 32
    guard stream.fieldSectionSize <= configuration.maximumFieldSectionSize else {
      return refuse(stream, .excessiveLoad)
    }
    stream.fields.append(HeaderField(Self.text(nameBytes), Self.text(valueBytes)))
  }

  private static func text(_ bytes: nghttp3_vec) -> String {
    String(decoding: UnsafeBufferPointer(start: bytes.base, count: bytes.len), as: UTF8.self)
  }

  func headersDidEnd(_ id: StreamID) {
    guard let stream = requests.stream(id), mayTakeFields(of: stream) else { return }
    var fields = stream.fields
    stream.fields = []
    qlog?.didReceive(fields, on: id)
    let isInterim = !isServer && fields.contains { $0.name == ":status" && $0.value.hasPrefix("1") }
    guard isInterim else {
      if isServer { shareBandwidth(stream, fields) }
      stream.watch?.hasHead = true
      lookForStop(of: stream)
      guard configuration.repeats == nil || settleRepeats(of: stream, &fields) else { return }
      events.append(.headersReceived(id, fields))
      repeats?.headWasHandedOn(stream)
      return
    }
    stream.informationalCount += 1
    if stream.informationalCount > Self.interimLimit {
      refuse(stream, .excessiveLoad)
    } else {
      events.append(.informationalReceived(id, fields))
    }
  }

  /// Reads what a head says of repeats, and takes it out; false for a response that is refused for what came before it.
  private func settleRepeats(of stream: StreamState, _ fields: inout [HeaderField]) -> Bool {
    let terms = RepeatTerms.take(from: &fields)
    guard let repeats else {
      stream.repeatWish = fields.contains(HeaderField(":method", "GET")) ? terms : nil
      return true
    }
    let mayHaveContent = RepeatConfiguration.hasContent(fields.first { $0.name == ":status" }?.value)
    let isConfirmed = terms != nil && mayHaveContent && peerAllowsRepeats != false
    guard repeats.settle(stream, isConfirmed: isConfirmed) else {
      refuse(stream, .datagramError)
      return false
    }
    return true
  }

  func trailersDidEnd(_ id: StreamID) {
    guard let stream = requests.stream(id) else { return }
    stream.watch?.hasTrailers = true
    guard mayTakeFields(of: stream) else { return }
    qlog?.didReceive(stream.fields, on: id)
    events.append(.trailersReceived(id, stream.fields))
    stream.fields = []
  }

  /// Whether the fields that the library has just reported are to be handed on; if they make the message malformed, it is
  /// refused (RFC 9114 § 4.1.2).
  private func mayTakeFields(of stream: StreamState) -> Bool {
    guard stream.watch != nil else { return !stream.receive.isOver }
    let section = stream.watch?.nextSection()
    guard !stream.receive.isOver else { return false }
    guard let section else {
      // Larger on the wire than decoded: a code for it would have been longer than what it stands for.
      refuse(stream, .excessiveLoad)
      return false
    }
    guard fieldLines?.isMalformed(section) == true else { return true }
    refuse(stream, .messageError)
    return false
  }

  func didReceiveBody(_ bytes: UnsafeBufferPointer<UInt8>, on id: StreamID) {
    guard let stream = requests.stream(id), !stream.receive.isOver else { return quic.credit(bytes.count, on: id) }
    if stream.assembly == nil {
      requests.didReceiveBody(bytes, on: stream)
    } else {
      repeats?.receiveStream(bytes, on: stream)
    }
    lookForStop(of: stream)
  }

  func messageDidEnd(_ id: StreamID) {
    guard let stream = requests.stream(id), stream.receive.complete() else { return }
    if stream.assembly != nil, repeats?.end(stream) == false { return }
    lookForStop(of: stream)
    events.append(.messageCompleted(id))
  }

  /// Offers the request's body again if it waits for flow control: only then does the library report that the server
  /// wants no more of it (STOP_SENDING), which is likely where the server answers before it has all (RFC 9114 § 4.1).
  private func lookForStop(of stream: StreamState) {
    guard !isServer, !stream.send.isOver, let session else { return }
    _ = nghttp3_conn_unblock_stream(session, stream.id.rawValue)
  }

  /// The library found the message malformed and wants no more of it.
  func libraryStopsReading(_ id: StreamID, code: ApplicationErrorCode) {
    quic.stopReading(id, code: code)
    requests.reportReset(id, code: code, side: .local)
  }

  /// The library gives up our message.
  func libraryStopsWriting(_ id: StreamID, code: ApplicationErrorCode) {
    quic.reset(id, code: code)
    requests.stream(id)?.send.reset()
  }
}
