import CQUIC

/// HTTP/0.9 as QUIC's interoperability tests speak it, see ``ApplicationProtocol/http09``: requests of one line, bodies, ends.
final class HTTP09Mapping {
  let requests: RequestStreams
  private let isServer: Bool
  private let events: EventQueue
  private let bufferTarget: Int
  private var qlog: QlogTrace?
  private var turns = HTTP09Turns()
  /// Requests that are not complete (server).
  private var requestLines: [StreamID: HTTP09RequestLine] = [:]
  /// Responses of which something came (client).
  private var begun: Set<StreamID> = []

  init(_ configuration: ConnectionConfiguration, isServer: Bool, events: EventQueue) {
    self.isServer = isServer
    self.events = events
    bufferTarget = configuration.sendBufferTarget
    requests = RequestStreams(isServer: isServer, events: events)
  }

  func attach(to quic: QUICStreams, qlog: QlogTrace?) {
    requests.attach(to: quic)
    self.qlog = qlog
  }

  // MARK: Messages

  /// A client's request; the fields beside method and path are not sent.
  ///
  /// - Parameter isReady: whether QUIC may send data, early or not.
  func sendRequest(_ fields: [HeaderField], endStream: Bool, isReady: Bool) throws(HTTP3Error) -> StreamID {
    let path = fields.first { $0.name == ":path" }?.value ?? ""
    guard endStream, fields.contains(HeaderField(":method", "GET")), HTTP09RequestLine.isPath(path.utf8) else {
      throw HTTP3Error(.invalidMessage, "HTTP/0.9 has requests of the form 'GET /path' alone, without a body.")
    }
    guard isReady, let id = requests.quic.open(isBidirectional: true) else {
      throw HTTP3Error(.streamLimitReached, "The server allows no more requests at once; wait for one to end.")
    }
    let stream = requests.insert(id)
    stream.send.begin()
    stream.sendBuffer.append(Array("GET \(path)\r\n".utf8))
    finish(stream)
    return id
  }

  /// A server's response: success is its body alone, anything else a reset.
  func sendResponse(_ fields: [HeaderField], on stream: StreamState, endStream: Bool) {
    guard fields.contains(where: { $0.name == ":status" && $0.value.hasPrefix("2") }) else {
      return cancel(stream.id, code: .requestCancelled)
    }
    stream.send.begin()
    if endStream { finish(stream) }
  }

  /// There is more to send on the stream.
  func resume(_ id: StreamID) { turns.resume(id) }

  func cancel(_ id: StreamID, code: ApplicationErrorCode) {
    guard let stream = requests.cancel(id, code: code) else { return }
    forget(id)
    stream.sendBuffer.drop()
  }

  private func finish(_ stream: StreamState) {
    stream.sendBuffer.finish()
    stream.send.finish()
    turns.resume(stream.id)
  }

  // MARK: Streams

  func streamDidOpen(_ id: StreamID) {
    // The stream's state is made when its first bytes come.
    events.append(.requestBegan(id))
  }

  func receive(_ bytes: UnsafeRawBufferPointer, on id: StreamID, isLast: Bool) {
    if isServer {
      requests.quic.credit(bytes.count, on: id)
      return receiveRequest(bytes, on: id, isLast: isLast)
    }
    guard let stream = requests.stream(id), !stream.receive.isOver else {
      return requests.quic.credit(bytes.count, on: id)
    }
    if begun.insert(id).inserted { events.append(.headersReceived(id, [HeaderField(":status", "200")])) }
    if !bytes.isEmpty { requests.didReceiveBody(bytes.bindMemory(to: UInt8.self), on: stream) }
    guard isLast, stream.receive.complete() else { return }
    events.append(.messageCompleted(id))
  }

  private func receiveRequest(_ bytes: UnsafeRawBufferPointer, on id: StreamID, isLast: Bool) {
    if requests.stream(id) == nil {
      requests.insert(id)
      requestLines[id] = HTTP09RequestLine()
    }
    // Without one it is what follows the line.
    switch requestLines[id]?.append(bytes, isLast: isLast) {
    case .incomplete, nil: break
    case .complete(let path):
      requestLines[id] = nil
      _ = requests.stream(id)?.receive.complete()
      let scheme = HeaderField(":scheme", "https")
      events.append(.headersReceived(id, [HeaderField(":method", "GET"), scheme, HeaderField(":path", path)]))
      events.append(.messageCompleted(id))
    case .malformed:
      requestLines[id] = nil
      cancel(id, code: .messageError)
    }
  }

  func didAcknowledge(_ count: UInt64, on id: StreamID) {
    requests.didAcknowledge(count, on: id, target: bufferTarget)
  }

  func streamDidClose(_ id: StreamID, code: ApplicationErrorCode?) {
    requests.willClose(id, code: code)
    forget(id)
    qlog?.streamClosed(id)
    requests.didClose(id)
  }

  /// Begins again where the server refused early data.
  func restart(_ reason: HTTP3Error) {
    turns.removeAll()
    requestLines = [:]
    begun = []
    requests.refuseAll(reason)
  }

  // MARK: Writing

  func nextData(_ vectors: UnsafeMutableBufferPointer<nghttp3_vec>) -> StreamMapping.StreamData {
    guard requests.quic.isWindowOpen,
      let id = turns.next({ requests.stream($0)?.hasMoreToSend ?? false }), let stream = requests.stream(id)
    else { return .nothing }
    let (count, isAll) = stream.sendBuffer.unsent(into: vectors)
    return StreamMapping.StreamData(
      id: id.rawValue, isLast: isAll && stream.sendBuffer.isFinished, vectorCount: count)
  }

  /// A packet took `count` bytes of the stream, with its end if there were no others.
  func didSend(_ count: Int, on id: StreamID, isLast: Bool) {
    guard let stream = requests.stream(id) else { return }
    stream.sendBuffer.markSent(count)
    stream.send.didSend(isEnd: isLast && !stream.sendBuffer.hasUnsent)
    turns.didSend(id)
  }

  func block(_ id: StreamID) { turns.block(id) }

  func unblock(_ id: StreamID) { turns.unblock(id) }

  func stopWriting(_ id: StreamID) {
    forget(id)
    requests.didStopWriting(id)
  }

  private func forget(_ id: StreamID) {
    turns.forget(id)
    requestLines[id] = nil
    begun.remove(id)
  }
}
