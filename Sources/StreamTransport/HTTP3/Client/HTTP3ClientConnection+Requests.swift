import HTTP3Engine
import HTTPTypes

extension HTTP3ClientConnection {
  /// Sends a request and waits for the final response's fields.
  ///
  /// Throws ``UnsentRequest`` when nothing was sent and another connection may do better, else ``TransportError`` or
  /// what the request's body threw.
  func send(_ request: HTTP3Request) async throws -> TransportResponse {
    if !engine.isSendingEarlyData { _ = try currentInfo() }
    let hasBody = if case .none = request.body { false } else { true }
    let (id, stream) = try await open(request.fields, endStream: !hasBody)
    // It fell silent before there was anything to rescue.
    if isSuspect { watch(self, .suspect) }
    switch request.body {
    case .none: break
    case .bytes(let bytes): try sendAll(bytes, on: id)
    case .stream(let chunks): beginUpload(chunks, on: stream, id)
    }
    pass()
    do {
      let head = try await stream.head.value()
      return TransportResponse(
        head: head, body: ResponseBody(stream.body), connection: try currentInfo(), requestID: request.requestID,
        interimResponses: stream.interimResponses)
    } catch is CancellationError {
      // Refused early data gives its numbers back: by now it may be another request's.
      if streams[id] === stream { cancel(id) }
      throw TransportError(.cancelled, "The request was cancelled.")
    } catch let error as TransportError where isWorthAnother && request.mayBeRepeated {
      throw UnsentRequest(reason: error)
    }
  }

  /// Opens a stream as soon as the server allows one more.
  private func open(_ fields: [HeaderField], endStream: Bool) async throws -> (StreamID, ClientStream) {
    var isAdmitted = false
    while true {
      // The end may have come since this connection was chosen; its engine knows nothing of a dead socket.
      if let failure { throw UnsentRequest(reason: failure) }
      if isGoingAway { throw UnsentRequest(reason: Self.leftReason) }
      if isAdmitted || engine.isClosed || waiters.hasRoom(of: engine.requestStreamsLeft),
        let opened = try openNow(fields, endStream: endStream)
      {
        return opened
      }
      guard waiters.count < configuration.maximumWaitingRequests else {
        throw TransportError(.limitExceeded, "Too many requests wait until the server allows more at once.")
      }
      // Not in a function of its own: a task may leave the loop where it calls its own actor, and then what frees a stream,
      // or ends the connection, would come between the look at it and the wait, or another request into the stream.
      let place = RequestQueue.Place()
      waiters.append(place)
      do {
        try await place.value()
      } catch is CancellationError {
        waiters.remove(place)
        throw TransportError(.cancelled, "The request was cancelled before the server allowed it.")
      }
      waiters.didEnter()
      isAdmitted = true
    }
  }

  /// Nil where the server allows no more.
  ///
  /// The stream is known here before this returns: the caller may be resumed later than the response comes.
  private func openNow(_ fields: [HeaderField], endStream: Bool) throws -> (StreamID, ClientStream)? {
    do {
      let id = try engine.sendRequest(fields, endStream: endStream)
      let stream = ClientStream(body: makeBody(id))
      streams[id] = stream
      awaited.insert(id)
      return (id, stream)
    } catch {
      switch error.code {
      case .streamLimitReached: return nil
      case .goingAway, .connectionClosed:
        // The end would else be told at the end of the loop's turn, and this connection be chosen again meanwhile.
        if engine.isClosed { writePass() }
        throw UnsentRequest(reason: failure ?? TransportError(error))
      default:
        // The stream that it was let in for is the next one's.
        waiters.admit(upTo: engine.requestStreamsLeft)
        throw TransportError(error)
      }
    }
  }

  private func makeBody(_ id: StreamID) -> BodyChannel {
    BodyChannel(
      onConsumed: { [weak self] count in
        guard let self, credit.add(count, on: id) else { return }
        onLoop {
          $0.takeCredit()
          $0.pass()
        }
      },
      onCancel: { [weak self] in self?.onLoop { $0.cancel(id) } },
      onPriority: { [weak self] priority in self?.onLoop { $0.setPriority(priority, of: id) } })
  }

  /// Lets the server send as much as readers have taken; before a write pass.
  func takeCredit() {
    credit.takeAll(into: &takenCredit)
    guard !takenCredit.isEmpty else { return }
    for (id, count) in takenCredit { engine.consume(count, on: id) }
    takenCredit.removeAll(keepingCapacity: takenCredit.count <= CreditLedger<StreamID>.placesKept)
  }

  private func setPriority(_ priority: RequestPriority, of id: StreamID) {
    engine.setPriority(priority.value, of: id)
    pass()
  }

  // MARK: The request's body

  private func sendAll(_ bytes: [UInt8], on id: StreamID) throws(TransportError) {
    do {
      try engine.sendBody(bytes, on: id, endStream: true)
    } catch {
      // Its end came since it was opened, and `head` has the reason or is about to have it.
      if error.code == .streamClosed || error.code == .connectionClosed { return }
      let reason = TransportError(error)
      awaited.remove(id)
      streams.removeValue(forKey: id)?.fail(reason)
      throw reason
    }
  }

  private func beginUpload(
    _ chunks: any AsyncSequence<[UInt8], any Error> & Sendable, on stream: ClientStream, _ id: StreamID
  ) {
    // It may have ended since it was opened: nobody would stop what is begun for it now.
    guard streams[id] === stream else { return }
    let outbox = BodyOutbox(target: configuration.sendBuffer) { [weak self] in self?.onLoop { $0.sendWritten(on: id) } }
    outbox.begin()
    stream.outbox = outbox
    stream.upload = Task { await upload(chunks, to: outbox, id) }
  }

  /// Off the loop: what makes the chunks is the caller's, and the loop is told of them when there are some.
  private nonisolated func upload(
    _ chunks: any AsyncSequence<[UInt8], any Error> & Sendable, to outbox: BodyOutbox, _ id: StreamID
  ) async {
    do {
      for try await chunk in chunks where !chunk.isEmpty { try await outbox.write(chunk) }
      await finishUpload(id)
    } catch {
      await didFailToUpload(id, error)
    }
  }

  private func finishUpload(_ id: StreamID) {
    guard failure == nil, let outbox = streams[id]?.outbox else { return }
    do {
      try takeWritten(from: outbox, on: id)
      try engine.sendBody([], on: id, endStream: true)
      pass()
    } catch {
      didFailToUpload(id, error)
    }
  }

  /// What the upload has written since.
  private func sendWritten(on id: StreamID) {
    guard failure == nil, let outbox = streams[id]?.outbox else { return }
    do {
      try takeWritten(from: outbox, on: id)
    } catch {
      outbox.fail(error)
    }
    pass()
    outbox.engineHolds(engine.bufferedBytes(on: id))
  }

  private func takeWritten(from outbox: BodyOutbox, on id: StreamID) throws(HTTP3Error) {
    for chunk in outbox.takeAll() { try engine.sendBody(chunk, on: id, endStream: false) }
  }

  private func didFailToUpload(_ id: StreamID, _ error: any Error) {
    // The server stopped reading: what it answers still counts (RFC 9114 § 4.1). Or the connection has ended, and the
    // stream is about to be told why.
    if let error = error as? HTTP3Error, error.code == .streamClosed || error.code == .connectionClosed { return }
    // The stream was given up before, which is why the upload was cancelled.
    guard let stream = streams[id] else { return }
    if error is CancellationError, stream.upload?.isCancelled == true { return }
    stream.fail(
      error as? TransportError
        ?? TransportError(.invalidRequest, "The request's body failed: \(error)", cause: error))
    cancel(id)
  }
}
