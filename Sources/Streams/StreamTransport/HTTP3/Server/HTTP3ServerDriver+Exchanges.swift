import HTTP3Engine
import HTTPTypes
import Logging

extension HTTP3ServerDriver {
  func handle(_ event: HTTP3Event, of key: ConnectionKey) {
    switch event {
    case .requestBegan(let id): stalls.requestBegan(ExchangePlace(connection: key, stream: id), at: loop.now)
    case .headersReceived(let id, let fields):
      let place = ExchangePlace(connection: key, stream: id)
      stalls.requestGoesOn(place, at: loop.now)
      begin(fields, at: place)
    case .bodyReceived(let id, let bytes):
      let place = ExchangePlace(connection: key, stream: id)
      stalls.requestGoesOn(place, at: loop.now)
      if let record = exchanges[place] {
        record.unread += bytes.count
        share.holds(bytes.count, for: key)
        bodies.receive(bytes, for: record.body)
      }
    case .messageCompleted(let id):
      let place = ExchangePlace(connection: key, stream: id)
      requestIsOver(place)
      exchanges[place]?.body.finish()
    case .streamReset(let id, let error):
      // Nobody waits for the response to half a request; left open, it would hold the stream's place.
      giveUp(ExchangePlace(connection: key, stream: id), .requestCancelled, TransportError(error))
    case .stopSendingReceived(let id, let code):
      // The rest of the request is not read either, and would occupy its part of the windows permanently.
      giveUp(
        ExchangePlace(connection: key, stream: id), .requestCancelled,
        TransportError(.cancelled, "The client cancelled the request.", wireCode: code.description))
    case .bodyAcknowledged(let id, let buffered):
      let place = ExchangePlace(connection: key, stream: id)
      if let record = exchanges[place] {
        engineHolds(buffered, of: record, at: place)
        record.outbox.engineHolds(buffered)
      }
    case .streamClosed(let id):
      let place = ExchangePlace(connection: key, stream: id)
      fail(place, TransportError(.connectionLost, "The stream is closed."))
      requestIsOver(place)
      stalls.streamClosed(place)
      if let record = exchanges[place] { share.holds(-record.held, for: key) }
      if exchanges[place] != nil { metrics.streamsCount(by: -1) }
      exchanges[place] = nil
    case .datagramReceived(let id, _):
      // No request here has a use for them (RFC 9297 § 2).
      giveUp(
        ExchangePlace(connection: key, stream: id), .datagramError,
        TransportError(
          .protocolViolation, "The client sent a datagram that its request has no use for.",
          wireCode: ApplicationErrorCode.datagramError.description))
    case .closed(let error):
      if let connection = endpoint.connection(key) { metrics.connectionEnds(connection.statistics) }
      logger.debug("connection closed", metadata: ["connection": "\(key.rawValue)", "reason": "\(error)"])
      let reason = TransportError(error)
      let records = exchanges.removeAll(of: key).values
      metrics.streamsCount(by: -records.count)
      for record in records {
        // Its end was sent and not acknowledged. A graceful close may precede the last ACK.
        if record.isFinished, record.failure == nil, !error.isGraceful { metrics.requestFailed(reason) }
        fail(record, reason)
      }
      stalls.connectionClosed(key)
      share.connectionEnded(key)
      metrics.connectionClosed(reason, wasOpen: connections.closed(key))
    case .handshakeCompleted(let handshake):
      connections.handshakeCompleted(
        key, isResumed: Resumption(handshake) != .none,
        certificate: endpoint.connection(key)?.clientCertificates.first)
      metrics.connectionOpened(handshake)
      admit(key)
    case .settingsReceived, .informationalReceived, .trailersReceived,
      .requestStreamsAvailable, .goAwayReceived, .ticketReceived, .newTokenReceived, .pathSuspected, .pathAnswered,
      .pathValidated, .pathValidationFailed:
      break
    }
  }

  private static var sendBufferTarget: Int { ConnectionConfiguration().sendBufferTarget }

  private func begin(_ fields: [HeaderField], at place: ExchangePlace) {
    guard let connection = endpoint.connection(place.connection) else { return }
    let decision = admission.decision(
      on: fields, isEarly: connection.arrivedEarly(place.stream), handlers: connections.handlers(of: place.connection))
    switch decision {
    case .serve(let request):
      connections.handlerStarted(place.connection)
      metrics.handlersCount(by: 1)
      metrics.streamsCount(by: 1)
      metrics.requestStarted()
      serve(request, at: place, on: connection)
    case .answer(let request, let status):
      answer(place, status: status)
      refused?(
        HTTP3ServerRefusal(
          request: request, remoteAddress: Self.address(of: connection), isResumed: isResumed(place, on: connection),
          isEarlyData: connection.arrivedEarly(place.stream), status: status))
    case .giveUp(let code): giveUp(place, code)
    }
  }

  /// Hands a request to its handler.
  private func serve(_ request: HTTPRequest, at place: ExchangePlace, on connection: HTTP3Connection) {
    let record = makeRecord(at: place)
    exchanges[place] = record
    let exchange = HTTP3ServerExchange(
      request: request, requestID: RequestID.of(request), body: ResponseBody(record.body),
      remoteAddress: Self.address(of: connection), isEarlyData: connection.arrivedEarly(place.stream),
      isResumed: isResumed(place, on: connection),
      clientCertificate: connections.certificate(of: place.connection), driver: self, place: place,
      outbox: record.outbox)
    log(exchange)
    let handler = handler
    // Detached, so that the handler is not the driver's, and runs where the options say.
    record.task = Task.detached(executorPreference: handlerExecutor) {
      await handler(exchange)
      // Not waited for: the task would go to the loop and come back to end.
      self.onLoop { $0.handlerReturned(place) }
    }
  }

  private func makeRecord(at place: ExchangePlace) -> ExchangeRecord {
    let body = BodyChannel(
      onConsumed: { [weak self, ledger = bodies.ledger] count in
        guard ledger.add(count, on: place) else { return }
        self?.onLoop {
          $0.takeCredit()
          $0.pass()
        }
      },
      onCancel: { [weak self] in self?.onLoop { $0.stopReading(place) } })
    let outbox = BodyOutbox(target: Self.sendBufferTarget) { [weak self] in
      self?.onLoop { $0.sendWritten(at: place) }
    }
    return ExchangeRecord(body: body, outbox: outbox)
  }

  private func log(_ exchange: HTTP3ServerExchange) {
    // The query stays out of the log: it may carry what only the server should see.
    let path = exchange.request.path?.prefix { $0 != "?" } ?? ""
    logger.debug(
      "request",
      metadata: [
        "x-request-id": "\(exchange.requestID)", "method": "\(exchange.request.method.rawValue)", "path": "\(path)",
        "transport": "h3",
      ])
  }

  private func handlerReturned(_ place: ExchangePlace) {
    connections.handlerReturned(place.connection)
    metrics.handlersCount(by: -1)
    guard let record = exchanges[place] else { return }
    record.task = nil
    sendWritten(at: place)
    guard !record.isFinished, record.failure == nil else { return }
    reset(place, code: .internalError)
  }

  /// Tells the handler's task, its reader and its writer that the client is gone; the first reason stands.
  func fail(_ place: ExchangePlace, _ error: TransportError) {
    if let record = exchanges[place] { fail(record, error) }
  }

  private func fail(_ record: ExchangeRecord, _ error: TransportError) {
    guard record.failure == nil else { return }
    record.failure = error
    if !record.isFinished { metrics.requestFailed(error) }
    record.body.finish(throwing: error)
    record.outbox.fail(error)
    if !record.isFinished { record.task?.cancel() }
  }

  /// Sends what the handler has written since.
  private func sendWritten(at place: ExchangePlace) {
    guard let record = exchanges[place], let connection = endpoint.connection(place.connection) else { return }
    do {
      guard try sendWritten(by: record, on: connection, at: place) else { return }
    } catch {
      record.outbox.fail(TransportError(error))
    }
    pass()
    let buffered = connection.bufferedBytes(on: place.stream)
    engineHolds(buffered, of: record, at: place)
    record.outbox.engineHolds(buffered)
  }

  /// Gives the engine what the handler has written since; false if that is nothing.
  private func sendWritten(
    by record: ExchangeRecord, on connection: HTTP3Connection, at place: ExchangePlace
  ) throws(HTTP3Error) -> Bool {
    let written = record.outbox.takeAll()
    if written.asksForBody { try connection.sendInformational([HeaderField(":status", "100")], on: place.stream) }
    if let fields = written.fields {
      try connection.sendResponse(fields, on: place.stream, endStream: false)
      record.response = .begun
      stalls.responseWaits(place, taken: record.taken, at: loop.now)
    }
    for chunk in written.chunks {
      try connection.sendBody(chunk, on: place.stream, endStream: false)
      record.given += chunk.count
    }
    if let end = written.end {
      if let trailers = end.trailers {
        try connection.sendTrailers(trailers, on: place.stream)
      } else {
        try connection.sendBody([], on: place.stream, endStream: true)
      }
      record.response = .finished
      engineHolds(connection.bufferedBytes(on: place.stream), of: record, at: place)
      stalls.responseWaits(place, taken: record.taken, at: loop.now)
    }
    return !written.isEmpty
  }

  // MARK: The exchange's calls

  /// Sends an interim response, after what was written before.
  func sendInformational(_ fields: [HeaderField], on place: ExchangePlace) throws(TransportError) {
    guard let record = exchanges[place], let connection = endpoint.connection(place.connection) else {
      throw TransportError(.connectionLost, "The client is gone.")
    }
    if let failure = record.failure { throw failure }
    do {
      _ = try sendWritten(by: record, on: connection, at: place)
      try connection.sendInformational(fields, on: place.stream)
    } catch {
      throw TransportError(error)
    }
    pass()
  }

  /// Sends what was written before as far as the windows allow: a reset drops what has not left (RFC 9000 § 3.1).
  func reset(_ place: ExchangePlace, code: ApplicationErrorCode) {
    if let record = exchanges[place], record.failure == nil, let connection = endpoint.connection(place.connection) {
      _ = try? sendWritten(by: record, on: connection, at: place)
      flush()
    }
    giveUp(place, code, TransportError(.cancelled, "The server gave the request up.", wireCode: code.description))
    pass()
  }

  /// Lets clients send as much as handlers have taken; before a write pass.
  func takeCredit() {
    bodies.takeCredit { place, count in
      endpoint.connection(place.connection)?.consume(count, on: place.stream)
      if let record = exchanges[place] { handlerHasTaken(count, of: record, at: place) }
    }
  }

  private func stopReading(_ place: ExchangePlace) {
    endpoint.connection(place.connection)?.stopReading(place.stream)
    if let record = exchanges[place] { handlerHasTaken(record.unread, of: record, at: place) }
    // Whether the client ends it or not.
    requestIsOver(place)
    pass()
  }

  /// Runs `body` on the loop; from any thread, in the order of the calls.
  nonisolated func onLoop(_ body: @escaping @Sendable (isolated HTTP3ServerDriver) -> Void) {
    loop.execute { self.assumeOnLoop(body) }
  }
}
