import HTTP3Engine
import Logging
import Synchronization

extension HTTP3ClientConnection {
  func handle(_ event: HTTP3Event) {
    switch event {
    case .handshakeCompleted(let handshake): didEstablish(handshake)
    case .headersReceived(let id, let fields): receiveHead(fields, on: id)
    case .bodyReceived(let id, let bytes):
      if let body = streams[id]?.body { bodies.receive(bytes, for: body) }
    case .messageCompleted(let id): streams[id]?.finishBody()
    case .informationalReceived(let id, let fields): streams[id]?.receiveInterim(fields)
    case .trailersReceived(let id, let fields): streams[id]?.receiveTrailers(fields)
    case .streamReset(let id, let error):
      // Our half of the stream is of no use any more.
      giveUp(id, code: .requestCancelled, TransportError(error))
    case .stopSendingReceived(let id, _):
      // The response may be complete without the rest of the request (RFC 9114 § 4.1).
      streams[id]?.stopUpload()
    case .bodyAcknowledged(let id, let buffered):
      streams[id]?.outbox?.engineHolds(buffered)
    case .streamClosed(let id):
      streams.remove(id)?.fail(
        TransportError(.streamReset, "The server closed the stream before the response was complete."))
    case .requestStreamsAvailable: queue.admit(upTo: engine.requestStreamsLeft)
    case .goAwayReceived(let firstUnprocessed): goAway(firstUnprocessed)
    case .pathSuspected: pathIsSuspect()
    case .pathAnswered: pathAnswers()
    case .closed(let error): didClose(error)
    case .ticketReceived(let ticket): memory.add(ticket)
    case .newTokenReceived(let token): memory.setToken(token)
    case .pathValidated(let path): paths.wasValidated(path)
    case .pathValidationFailed(let path): paths.validationDidFail(path)
    case .datagramReceived(let id, _):
      // No request here has a use for them but for repeats, which the engine takes (RFC 9297 § 2).
      let code = ApplicationErrorCode.datagramError
      giveUp(
        id, code: code,
        TransportError(
          .protocolViolation, "The server sent a datagram that the request has no use for.",
          wireCode: code.description))
    case .requestBegan, .settingsReceived: break
    }
  }

  private func didEstablish(_ handshake: HandshakeInfo) {
    guard let info = life.establish(handshake, at: loop.now) else { return }
    paths.usePreferredAddress()
    isUsable.store(life.takesRequests, ordering: .relaxed)
    logger.debug(
      "connected",
      metadata: [
        "remote": "\(life.remote)", "transport": "h3", "cipher": "\(handshake.cipher)", "group": "\(handshake.group)",
        "resumption": "\(info.resumption)",
      ])
    // Requests that early data's limits held up.
    queue.admit(upTo: engine.requestStreamsLeft)
  }

  private func receiveHead(_ fields: [HeaderField], on id: StreamID) {
    guard streams[id] != nil else { return }
    guard let head = FieldMapping.response(from: fields) else {
      let code = ApplicationErrorCode.messageError
      let reason = TransportError(
        .protocolViolation, "The server's response has no valid status.", wireCode: code.description)
      return giveUp(id, code: code, reason)
    }
    doubt.responded()
    streams.receiveHead(head, on: id)
  }

  /// New requests go elsewhere, and so may those that the server will not look at (RFC 9114 § 5.2).
  private func goAway(_ firstUnprocessed: StreamID) {
    leave()
    let reason = TransportError(
      .notProcessed, "The server is going away and did not process the request; it may be sent again.",
      wireCode: ApplicationErrorCode.requestRejected.description)
    for id in streams.ids where id >= firstUnprocessed { giveUp(id, code: .requestCancelled, reason) }
  }

  private func didClose(_ error: HTTP3Error) {
    switch doubt.closed(by: error) {
    case .ecn: memory.doubtECN()
    case .ticket: memory.forgetTickets()
    case nil: break
    }
    end(TransportError(error))
  }

  /// Fails a stream for its task and ends it for the server; without a write pass of its own.
  private func giveUp(_ id: StreamID, code: ApplicationErrorCode, _ reason: TransportError) {
    guard let stream = streams.remove(id) else { return }
    stream.fail(reason)
    engine.cancel(id, code: code)
  }

  /// The caller leaves the response.
  func cancel(_ id: StreamID) {
    giveUp(id, code: .requestCancelled, TransportError(.cancelled, "The request was cancelled."))
    pass()
  }
}
