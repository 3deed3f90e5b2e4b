import HTTPTypes
import Hummingbird
import NIOCore
import StreamTransport

/// Answers HTTP/3 requests with a Hummingbird responder.
///
/// Bodies stream both ways. The exchange's task is cancelled when the client resets the stream, and the responder runs
/// in it, so that cancellation is the handler's.
struct HTTP3Handler<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
  let performer: RequestPerformer<Responder>
  let channels: InertChannels

  func handle(_ exchange: HTTP3ServerExchange) async {
    let channel = channels.channel(of: exchange.connectionID, remoteAddress: exchange.remoteAddress)
    var arrival = Arrival(.http3)
    arrival.isResumed = exchange.isResumed
    arrival.isEarlyData = exchange.isEarlyData
    arrival.traffic = performer.journal.accessLog.map { _ in ExchangeTraffic() }
    let body = exchange.body.map { [traffic = arrival.traffic] in
      traffic?.receive($0.count)
      return ByteBuffer(bytes: $0)
    }
    var head = exchange.request
    // One id for what the transport and what the responder log.
    head.headerFields[RequestID.name] = exchange.requestID
    if exchange.isEarlyData { EarlyDataField.mark(&head) }
    ClientCertificateField.set(exchange.clientCertificate, in: &head)
    let expectation = Expectation(of: head) { exchange.sendContinue() }
    let plain = Request(head: head, body: RequestBody(asyncSequence: body))
    let request = expectation?.watching(plain) ?? plain
    let answer = await performer.respond(to: request, channel: channel, arrival)
    expectation?.responseBegins(answer.response.status)
    do {
      try Task.checkCancellation()
      try await send(answer.response, over: exchange, arrival.traffic)
      performer.finish(answer)
    } catch {
      let failure = exchange.failure
      // The head was sent: only a reset reveals to the client that the body is incomplete (RFC 9114 § 4.1.1).
      await exchange.reset()
      let departure = Departure(ending: failure == nil ? .failed : .left, code: failure?.wireCode, error: error)
      performer.finish(answer, departure)
    }
  }

  private func send(
    _ response: Response, over exchange: HTTP3ServerExchange, _ traffic: ExchangeTraffic?
  ) async throws {
    try await exchange.respond(response.head)
    traffic?.begin()
    try await response.body.write(HTTP3BodyWriter(exchange: exchange, traffic: traffic))
  }
}
