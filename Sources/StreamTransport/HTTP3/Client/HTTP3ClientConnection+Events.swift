import HTTP3Engine
import Logging
import Synchronization

extension HTTP3ClientConnection {
  func handle(_ event: HTTP3Event) {
    switch event {
    case .handshakeCompleted(let handshake): didEstablish(handshake)
    case .headersReceived(let id, let fields):
      guard let stream = streams[id] else { return }
      guard let head = FieldMapping.response(from: fields) else {
        let code = ApplicationErrorCode.messageError
        return giveUp(
          id, code: code,
          TransportError(
            .protocolViolation, "The server's response has no valid status.", wireCode: code.description))
      }
      hasResponded = true
      stream.head.answer(.success(head))
      awaited.remove(id)
    case .bodyReceived(let id, let bytes):
      if let body = streams[id]?.body { readers.add(bytes, to: body) }
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
      awaited.remove(id)
      streams.removeValue(forKey: id)?.fail(
        TransportError(.streamReset, "The server closed the stream before the response was complete."))
    case .requestStreamsAvailable: waiters.admit(upTo: engine.requestStreamsLeft)
    case .goAwayReceived(let firstUnprocessed): goAway(firstUnprocessed)
    case .pathSuspected: pathIsSuspect()
    case .pathAnswered: pathAnswers()
    case .closed(let error):
      if usesECN, !hasResponded, error.mayBeOfECN {
        isWorthAnother = true
        memory.doubtECN()
      }
      if error.code == .earlyDataRetry {
        isWorthAnother = true
        memory.forgetTickets()
      }
      end(TransportError(error))
    case .ticketReceived(let ticket): memory.add(ticket)
    case .newTokenReceived(let token): memory.setToken(token)
    case .pathValidated(let path): pathWasValidated(path)
    case .pathValidationFailed(let path): pathValidationDidFail(path)
    case .requestBegan, .settingsReceived, .datagramReceived: break
    }
  }

  /// Those who wait for bytes of bodies get them, now or soon.
  func wakeReaders() {
    if let due = readers.wake(at: loop.now) { readTimer?.set(due) }
  }

  private func didEstablish(_ handshake: HandshakeInfo) {
    let info = ConnectionInfo(
      transport: .http3, cipher: handshake.cipher, remoteAddress: remote.description,
      handshake: loop.now - startedAt, resumption: Resumption(handshake),
      quicVersion: handshake.version == QUICVersion.v2.rawValue ? 2 : 1, nameLookup: nameLookup)
    self.info = info
    usePreferredAddress()
    isUsable.store(true, ordering: .relaxed)
    logger.debug(
      "connected",
      metadata: [
        "remote": "\(remote)", "transport": "h3", "cipher": "\(handshake.cipher)", "group": "\(handshake.group)",
        "resumption": "\(info.resumption)",
      ])
    established.answer(.success(info))
    // Requests that early data's limits held up.
    waiters.admit(upTo: engine.requestStreamsLeft)
  }

  /// New requests go elsewhere; those that the server will not look at are told so (RFC 9114 § 5.2).
  private func goAway(_ firstUnprocessed: StreamID) {
    leave()
    let reason = TransportError(
      .notProcessed, "The server is going away and did not process the request; it may be sent again.",
      wireCode: ApplicationErrorCode.requestRejected.description)
    for id in streams.keys where id >= firstUnprocessed { giveUp(id, code: .requestCancelled, reason) }
  }

  /// Fails a stream for its task and ends it for the server; without a write pass of its own.
  private func giveUp(_ id: StreamID, code: ApplicationErrorCode, _ reason: TransportError) {
    guard let stream = streams.removeValue(forKey: id) else { return }
    awaited.remove(id)
    stream.fail(reason)
    engine.cancel(id, code: code)
  }

  /// The caller leaves the response.
  func cancel(_ id: StreamID) {
    giveUp(id, code: .requestCancelled, TransportError(.cancelled, "The request was cancelled."))
    pass()
  }
}

extension Resumption {
  init(_ handshake: HandshakeInfo) {
    switch (handshake.isResumed, handshake.earlyData) {
    case (_, .accepted): self = .earlyDataAccepted
    case (_, .rejected): self = .earlyDataRefused
    case (true, .notOffered): self = .resumed
    case (false, .notOffered): self = .none
    }
  }
}
