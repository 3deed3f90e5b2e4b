import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import NIOHTTPTypes
import StreamTransport

/// Answers HTTP/1.1 and HTTP/2 requests, and advertises HTTP/3 in each response.
struct TCPHandler<Responder: HTTPResponder>: Sendable
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
  let performer: RequestPerformer<Responder>
  /// The value of `alt-svc`, known once the port is bound.
  let alternative: AltSvcField
  let targets: TargetRules
  /// Answers requests to become a WebSocket; nil where none are served.
  let webSockets: WebSocketUpgrade?
  /// The sum of what clients do not take of responses.
  let untaken: SharedBytes

  func handle(_ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel) async throws {
    // A stream of HTTP/2 has its connection for a parent and that the listener; HTTP/1.1 has one level less.
    var arrival = Arrival(channel.parent?.parent == nil ? .http1 : .http2)
    let request = ClientCertificateField.setting(TCPClientCertificate.current, in: request)
    let isHTTP1 = arrival.transport == .http1
    if let webSockets, isHTTP1, WebSocketHandshake.isRequested(by: request.head) {
      let refusal = targets.refusal(of: request.head, .line)
      return try await webSockets.answer(request, writer, channel, refusal: refusal)
    }
    if performer.journal.accessLog != nil { arrival.traffic = await TrafficHandler.next(on: channel) }
    let expectation = Expectation(of: request.head) {
      channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
    }
    let watched = expectation?.watching(request) ?? request
    let refusal = targets.refusal(of: request.head, isHTTP1 ? .line : .fields)
    var answer = await performer.respond(to: watched, channel: channel, arrival, refusal: refusal)
    expectation?.responseBegins(answer.response.status)
    if let traffic = arrival.traffic {
      answer.response.body = CountingBodyWriter.counting(answer.response.body, into: traffic)
    }
    answer.response.body = UntakenBodyWriter.counting(answer.response.body, in: untaken, on: channel)
    if let value = alternative.value { answer.response.headers[.altSvc] = value }
    do {
      if answer.response.body.contentLength == nil {
        try await Self.stream(answer.response, to: writer, over: channel, isHTTP1: isHTTP1)
      } else {
        try await writer.write(response: answer.response.head, body: answer.response.body)
      }
      performer.finish(answer)
    } catch {
      let hasLeft = error is CancellationError || Task.isCancelled || !channel.isActive
      performer.finish(answer, Departure(ending: hasLeft ? .left : .failed, error: error))
      throw error
    }
  }

  /// Writes a body of unknown length and cancels its producer when the client closes the connection: Hummingbird
  /// itself notices that at the next write, which on an idle event stream may be long in coming.
  private static func stream(
    _ response: Response, to writer: consuming ResponseWriter, over channel: any Channel, isHTTP1: Bool
  ) async throws {
    let handover = Handover(writer)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await handover.write(response)
        return false
      }
      group.addTask {
        await departure(channel, isHTTP1: isHTTP1)
        return true
      }
      let hasLeft = try await group.next() ?? false
      group.cancelAll()
      do {
        try await group.waitForAll()
      } catch {
        // Whatever the producer makes of it, it was told to end.
        throw hasLeft ? CancellationError() : error
      }
    }
  }

  /// Returns when the client has left or the task is cancelled. On HTTP/2 the end of a request closes its side too, so
  /// that says nothing there; a reset closes the stream's channel.
  private static func departure(_ channel: any Channel, isHTTP1: Bool) async {
    guard !isHTTP1 else { return await DepartureHandler.departure(from: channel) }
    let (departure, sink) = AsyncStream<Void>.makeStream()
    channel.closeFuture.whenComplete { _ in sink.finish() }
    for await _ in departure {}
  }
}

/// Carries the one writer of a response, which cannot be copied, into a child task.
///
/// Unchecked: it is filled before the child exists and emptied by the child alone; the writer's own channel writer is
/// `Sendable`.
private final class Handover: @unchecked Sendable {
  private var writer: ResponseWriter?

  init(_ writer: consuming ResponseWriter) {
    self.writer = consume writer
  }

  func write(_ response: Response) async throws {
    guard let writer = writer.take() else { return }
    try await writer.write(response: response.head, body: response.body)
  }
}
