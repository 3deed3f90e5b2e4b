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
    } catch let error as TransportError where doubt.isWorthAnother && request.mayBeRepeated {
      throw UnsentRequest(reason: error)
    }
  }

  /// Opens a stream as soon as the server allows one more.
  private func open(_ fields: [HeaderField], endStream: Bool) async throws -> (StreamID, ClientStream) {
    var isAdmitted = false
    while true {
      // The end may have come since this connection was chosen; its engine knows nothing of a dead socket.
      if let failure { throw UnsentRequest(reason: failure) }
      if life.isLeaving { throw UnsentRequest(reason: .leavingConnection) }
      if isAdmitted || engine.isClosed || queue.hasRoom(of: engine.requestStreamsLeft),
        let opened = try openNow(fields, endStream: endStream)
      {
        return opened
      }
      guard queue.count < configuration.maximumWaitingRequests else {
        throw TransportError(.limitExceeded, "Too many requests wait until the server allows more at once.")
      }
      // Not in a function of its own: a task may leave the loop where it calls its own actor, and then what frees a stream,
      // or ends the connection, would come between the look at it and the wait, or another request into the stream.
      let place = RequestQueue.Place()
      queue.append(place)
      do {
        try await place.value()
      } catch is CancellationError {
        queue.remove(place)
        throw TransportError(.cancelled, "The request was cancelled before the server allowed it.")
      }
      queue.didEnter()
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
      streams.open(stream, as: id)
      return (id, stream)
    } catch {
      switch error.code {
      case .streamLimitReached: return nil
      case .goingAway, .connectionClosed:
        // The end would else be delivered at the end of the loop's turn, and this connection be chosen again meanwhile.
        if engine.isClosed { writePass() }
        throw UnsentRequest(reason: failure ?? TransportError(error))
      default:
        // The stream that it was let in for is the next one's.
        queue.admit(upTo: engine.requestStreamsLeft)
        throw TransportError(error)
      }
    }
  }

  private func makeBody(_ id: StreamID) -> BodyChannel {
    BodyChannel(
      onConsumed: { [weak self, ledger = bodies.ledger] count in
        guard ledger.add(count, on: id) else { return }
        self?.onLoop {
          $0.takeCredit()
          $0.pass()
        }
      },
      onCancel: { [weak self] in self?.onLoop { $0.cancel(id) } },
      onPriority: { [weak self] priority in self?.onLoop { $0.setPriority(priority, of: id) } })
  }

  private func setPriority(_ priority: RequestPriority, of id: StreamID) {
    engine.setPriority(priority.value, of: id)
    pass()
  }
}
