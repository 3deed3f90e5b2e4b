import CQUIC

extension HTTP3Connection {
  // MARK: Out

  /// A client's request; the fields beside method and path are not sent.
  func sendHTTP09Request(_ fields: [HeaderField], endStream: Bool) throws(HTTP3Error) -> StreamID {
    let path = fields.first { $0.name == ":path" }?.value ?? ""
    guard let http09, endStream, fields.contains(HeaderField(":method", "GET")), HTTP09RequestLine.isPath(path.utf8)
    else {
      throw HTTP3Error(.invalidMessage, "HTTP/0.9 has requests of the form 'GET /path' alone, without a body.")
    }
    var rawID: Int64 = -1
    guard handshake != nil || isSendingEarlyData, ngtcp2_conn_open_bidi_stream(quic, &rawID, nil) == 0 else {
      throw HTTP3Error(.streamLimitReached, "The server allows no more requests at once; wait for one to end.")
    }
    let stream = StreamState(StreamID(rawID))
    streams[stream.id] = stream
    stream.hasSentFields = true
    stream.isWritingOver = true
    stream.sendBuffer.append(Array("GET \(path)\r\n".utf8))
    stream.sendBuffer.finish()
    http09.resume(stream.id)
    return stream.id
  }

  /// A server's response: success is its body alone, anything else a reset.
  func sendHTTP09Response(_ fields: [HeaderField], on stream: StreamState, endStream: Bool) {
    guard fields.contains(where: { $0.name == ":status" && $0.value.hasPrefix("2") }) else {
      return cancel(stream.id, code: .requestCancelled)
    }
    stream.hasSentFields = true
    if endStream { finishHTTP09(stream) }
  }

  func finishHTTP09(_ stream: StreamState) {
    stream.sendBuffer.finish()
    stream.isWritingOver = true
    http09?.resume(stream.id)
  }

  /// What is sent next: the stream, whether it ends with it, and how many vectors were filled; nil when there is nothing.
  func nextHTTP09Data(
    _ vectors: UnsafeMutableBufferPointer<nghttp3_vec>
  ) -> (id: StreamID, isLast: Bool, count: Int)? {
    guard let id = http09?.next({ streams[$0]?.hasMoreToSend ?? false }), let stream = streams[id] else { return nil }
    let (count, isAll) = stream.sendBuffer.unsent(into: vectors)
    return (id, isAll && stream.sendBuffer.isFinished, count)
  }

  /// The library took `count` bytes of the stream, with its end if there were no others.
  func didSendHTTP09(_ count: Int, on id: StreamID, isLast: Bool) {
    guard let stream = streams[id] else { return }
    stream.sendBuffer.markSent(count)
    if isLast, !stream.sendBuffer.hasUnsent { stream.hasSentEnd = true }
    if configuration.usesDatagrams { stream.hasLeft = true }
    http09?.didSend(id)
  }

  // MARK: In

  func didReceiveHTTP09(_ bytes: UnsafeRawBufferPointer, on id: StreamID, isLast: Bool) -> Bool {
    if isServer {
      credit(bytes.count, on: id)
      return didReceiveHTTP09Request(bytes, on: id, isLast: isLast)
    }
    guard let stream = streams[id], !stream.isReadingOver else {
      credit(bytes.count, on: id)
      return true
    }
    if http09?.begun.insert(id).inserted == true {
      events.append(.headersReceived(id, [HeaderField(":status", "200")]))
    }
    if !bytes.isEmpty {
      stream.unconsumed += bytes.count
      events.appendBody(bytes.bindMemory(to: UInt8.self), on: id)
    }
    guard isLast else { return true }
    stream.isReadingOver = true
    events.append(.messageCompleted(id))
    return true
  }

  private func didReceiveHTTP09Request(_ bytes: UnsafeRawBufferPointer, on id: StreamID, isLast: Bool) -> Bool {
    guard let http09 else { return true }
    if streams[id] == nil {
      streams[id] = StreamState(id)
      http09.requestLines[id] = HTTP09RequestLine()
    }
    // Whatever follows the line.
    guard let outcome = http09.requestLines[id]?.append(bytes, isLast: isLast) else { return true }
    switch outcome {
    case .incomplete: return true
    case .complete(let path):
      http09.requestLines[id] = nil
      streams[id]?.isReadingOver = true
      let scheme = HeaderField(":scheme", "https")
      events.append(.headersReceived(id, [HeaderField(":method", "GET"), scheme, HeaderField(":path", path)]))
      events.append(.messageCompleted(id))
    case .malformed:
      http09.requestLines[id] = nil
      cancel(id, code: .messageError)
    }
    return true
  }
}
