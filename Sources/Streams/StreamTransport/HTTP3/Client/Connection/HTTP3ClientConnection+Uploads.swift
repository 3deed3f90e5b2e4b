import HTTP3Engine

// The bodies of requests.
extension HTTP3ClientConnection {
  func sendAll(_ bytes: [UInt8], on id: StreamID) throws(TransportError) {
    do {
      try engine.sendBody(bytes, on: id, endStream: true)
    } catch {
      // Its end came since it was opened, and `head` has the reason or is about to have it.
      if error.code == .streamClosed || error.code == .connectionClosed { return }
      let reason = TransportError(error)
      streams.remove(id)?.fail(reason)
      throw reason
    }
  }

  func beginUpload(
    _ chunks: any AsyncSequence<[UInt8], any Error> & Sendable, on stream: ClientStream, _ id: StreamID
  ) {
    // It may have ended since it was opened: nothing would stop an upload that is begun for it now.
    guard streams[id] === stream else { return }
    let outbox = BodyOutbox(target: configuration.sendBuffer) { [weak self] in self?.onLoop { $0.sendWritten(on: id) } }
    outbox.begin()
    stream.outbox = outbox
    stream.upload = Task { await upload(chunks, to: outbox, id) }
  }

  /// Off the loop: what makes the chunks is the caller's, and the loop takes them when there are some.
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
    guard isLive, let outbox = streams[id]?.outbox else { return }
    do {
      try takeWritten(from: outbox, on: id)
      try engine.sendBody([], on: id, endStream: true)
      pass()
    } catch {
      didFailToUpload(id, error)
    }
  }

  /// Sends what the upload has written since.
  private func sendWritten(on id: StreamID) {
    guard isLive, let outbox = streams[id]?.outbox else { return }
    do {
      try takeWritten(from: outbox, on: id)
    } catch {
      outbox.fail(error)
    }
    pass()
    outbox.engineHolds(engine.bufferedBytes(on: id))
  }

  private func takeWritten(from outbox: BodyOutbox, on id: StreamID) throws(HTTP3Error) {
    for chunk in outbox.takeAll().chunks { try engine.sendBody(chunk, on: id, endStream: false) }
  }

  private func didFailToUpload(_ id: StreamID, _ error: any Error) {
    // The server stopped reading: what it answers still counts (RFC 9114 § 4.1). Or the connection has ended, and the
    // stream is about to fail with the reason.
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
