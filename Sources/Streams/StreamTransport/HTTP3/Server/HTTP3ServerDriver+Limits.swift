import HTTP3Engine

/// The limits on clients: who is admitted, what is held for whom, and what ends because a limit says so.
extension HTTP3ServerDriver {
  // MARK: Connections

  /// Counts a connection whose address is proven by its handshake, unless its token had proven it before.
  func admit(_ key: ConnectionKey) {
    guard let connection = endpoint.connection(key), let address = connection.remoteAddress,
      !share.admit(key, from: address)
    else { return }
    connection.close(
      transportError: .connectionRefused, reason: "Too many connections; try again later.", at: loop.now)
  }

  /// Does what another connection's or request's admission, or the memory budget, asks for.
  func carryOut(_ order: HTTP3ServerLoad.Order) {
    switch order {
    case .endConnection(let ticket):
      guard let key = share.connection(of: ticket) else { return }
      metrics.refused(.displacedConnections)
      closeOverloaded(key)
    case .endRequest(let ticket):
      guard let place = share.request(of: ticket) else { return }
      metrics.refused(.displacedRequests)
      giveUp(place, .excessiveLoad, Self.overload)
    case .relieve(let ticket):
      guard let key = share.connection(of: ticket) else { return }
      metrics.refused(.memory)
      relieve(key)
    }
    pass()
  }

  /// Ends the request that holds most, or the connection where none holds anything.
  private func relieve(_ key: ConnectionKey) {
    let largest = exchanges[key].max { ($0.value.held, $0.key) < ($1.value.held, $1.key) }
    guard let (stream, record) = largest, record.held > 0 else { return closeOverloaded(key) }
    let place = ExchangePlace(connection: key, stream: stream)
    giveUp(place, .excessiveLoad, Self.overload)
    // Its handler has nothing to read any more.
    record.body.cancel()
    handlerHasTaken(record.unread, of: record, at: place)
    share.relieved(key)
  }

  private func closeOverloaded(_ key: ConnectionKey) {
    endpoint.connection(key)?.close(.excessiveLoad, reason: "The server needs the room; try again later.", at: loop.now)
  }

  private static var overload: TransportError {
    TransportError(
      .limitExceeded, "The server needs what the request holds for others.",
      wireCode: ApplicationErrorCode.excessiveLoad.description)
  }

  // MARK: Requests

  /// Counts the requests that this turn began and did not complete.
  func countHalfOpen() {
    for place in stalls.takeHalfOpen(at: loop.now) {
      guard share.requestBegins(place) != nil else { continue }
      // Where the handler has it, it may not be sent again unasked (RFC 9114 § 4.1.1).
      giveUp(place, exchanges[place] == nil ? .requestRejected : .excessiveLoad, Self.overload)
    }
  }

  /// All of it came, or no more is wanted.
  func requestIsOver(_ place: ExchangePlace) {
    stalls.requestIsOver(place)
    share.requestEnded(place)
  }

  /// Ends a request and its response on both sides; `error` is for the handler, where there is one.
  func giveUp(_ place: ExchangePlace, _ code: ApplicationErrorCode, _ error: TransportError? = nil) {
    if let error { fail(place, error) }
    // Asked for again, since only who was asked for is asked for packets.
    endpoint.connection(place.connection)?.cancel(place.stream, code: code)
    if let record = exchanges[place] { engineHolds(0, of: record, at: place) }
    requestIsOver(place)
    // The stream is there until the client has acknowledged that.
    stalls.responseWaits(place, taken: exchanges[place]?.taken ?? 0, at: loop.now)
  }

  /// Answers a request in its handler's place, without its rest.
  func answer(_ place: ExchangePlace, status: Int) {
    guard let connection = endpoint.connection(place.connection) else { return }
    try? connection.sendResponse([HeaderField(":status", String(status))], on: place.stream, endStream: true)
    connection.stopReading(place.stream)
    exchanges[place]?.response = .finished
    requestIsOver(place)
    stalls.responseWaits(place, taken: 0, at: loop.now)
  }

  // MARK: Time

  /// Ends what stands still.
  func endStalled() {
    let now = loop.now
    while let place = stalls.popDue(at: now) {
      guard let stall = stalls.look(at: place, progress(of: place), at: now) else { continue }
      switch stall {
      case .header:
        metrics.refused(.headerTimeout)
        giveUp(place, .requestIncomplete)
      case .body: bodyStalls(at: place)
      case .response: responseStalls(at: place)
      }
    }
  }

  private func progress(of place: ExchangePlace) -> StallWatch.Progress {
    // One that was refused: nothing is left of it but its stream.
    guard let record = exchanges[place] else { return StallWatch.Progress(isFinished: true) }
    guard let connection = endpoint.connection(place.connection) else { return StallWatch.Progress() }
    engineHolds(connection.bufferedBytes(on: place.stream), of: record, at: place)
    // The fields are not counted: where the client lets nothing through, they have not left either.
    let isHeadWaiting =
      record.response == .begun && record.given == 0 && !connection.hasCredit(on: place.stream)
    return StallWatch.Progress(
      taken: record.taken, isWaiting: record.unsent > 0 || isHeadWaiting,
      isFinished: record.isFinished || record.failure != nil, isHandlerBehind: record.body.hasUnread)
  }

  private func bodyStalls(at place: ExchangePlace) {
    metrics.refused(.bodyTimeout)
    let error = TransportError(
      .idleTimeout, "The rest of the request did not come in time.",
      wireCode: ApplicationErrorCode.requestIncomplete.description)
    if let record = exchanges[place], record.failure == nil, record.response == .awaited {
      fail(place, error)
      answer(place, status: 408)
    } else {
      giveUp(place, .requestIncomplete, error)
    }
  }

  private func responseStalls(at place: ExchangePlace) {
    metrics.refused(.writeTimeout)
    guard let record = exchanges[place], record.failure == nil else {
      // It does not even acknowledge that the stream was reset, so what is held for that stays.
      return closeOverloaded(place.connection)
    }
    giveUp(
      place, .requestCancelled,
      TransportError(
        .idleTimeout, "The client did not take the response in time.",
        wireCode: ApplicationErrorCode.requestCancelled.description))
  }

  // MARK: Memory

  /// So many bytes of a response wait in the engine.
  func engineHolds(_ count: Int, of record: ExchangeRecord, at place: ExchangePlace) {
    share.holds(count - record.unsent, for: place.connection)
    record.unsent = count
    if count > 0 { stalls.responseWaits(place, taken: record.taken, at: loop.now) }
  }

  /// The handler has taken bytes of the request, or will take none of them.
  func handlerHasTaken(_ count: Int, of record: ExchangeRecord, at place: ExchangePlace) {
    let taken = min(count, record.unread)
    record.unread -= taken
    share.holds(-taken, for: place.connection)
  }
}
