import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import ServiceLifecycle
import StreamTransport

/// Answers HTTP/1.1 requests to become a WebSocket, and serves those that are accepted.
struct WebSocketUpgrade: Sendable {
  private let handler: WebSocketHandler
  private let limits: WebSocketLimits
  private let load: WebSocketLoad
  private let journal: RequestJournal

  init(_ handler: @escaping WebSocketHandler, limits: WebSocketLimits, journal: RequestJournal) {
    self.handler = handler
    self.limits = limits
    self.journal = journal
    load = WebSocketLoad(limits)
  }

  /// - Parameter refusal: the status that answers the request, if its target is not this server's.
  func answer(
    _ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel, refusal: HTTPResponse.Status?
  ) async throws {
    let entry = journal.begin(request, Arrival(.webSocket), from: channel)
    let prefix = channel.remoteAddress?.ipAddress.flatMap { SourcePrefix(literal: $0) }
    do {
      if let refusal { throw WebSocketRefusal(refusal, refusal.reasonPhrase) }
      let handshake = try WebSocketHandshake(request.head)
      try await load.holdingPlace(from: prefix) {
        try await serve(handshake, request.head, channel, entry)
      }
    } catch let refusal as WebSocketRefusal {
      try await refuse(refusal.response, writer, channel, entry)
    }
  }

  private func serve(
    _ handshake: WebSocketHandshake, _ head: HTTPRequest, _ channel: any Channel, _ entry: RequestJournal.Entry
  ) async throws {
    let request = WebSocketRequest(
      head: head, remoteAddress: channel.remoteAddress, subprotocols: handshake.subprotocols, id: entry.id)
    guard let answer = await answer(of: request, channel) else {
      let error = CancellationError()
      journal.finish(entry, with: .switchingProtocols, Departure(ending: .left, error: error))
      throw error
    }
    let (subprotocol, serving) = try acceptance(answer)
    if let subprotocol, !handshake.subprotocols.contains(subprotocol) {
      entry.logger.error("\(entry.summary): the subprotocol \(subprotocol) is none of those that the client offers.")
      throw WebSocketRefusal(.internalServerError, "Internal Server Error")
    }
    // A drain that began meanwhile has notified the connection; from here on it notifies the WebSocket.
    guard !Task.isShuttingDownGracefully else {
      throw WebSocketRefusal(.serviceUnavailable, "The server shuts down.", [.retryAfter: "10"])
    }
    var fields = handshake.acceptance(subprotocol: subprotocol)
    journal.sign(&fields, of: entry)
    let response = HTTPResponse(status: .switchingProtocols, headerFields: fields)
    let connection = try await channel.eventLoop.flatSubmit {
      WebSocketConnection.takeOver(channel, limits, answer: .head(response))
    }.get()
    do {
      try await connection.serve(serving)
      connection.outbound.close()
      journal.finish(entry, with: .switchingProtocols, nil)
    } catch {
      connection.outbound.close(code(for: error, entry))
      let hasLeft = error is CancellationError || error is WebSocketError
      journal.finish(entry, with: .switchingProtocols, Departure(ending: hasLeft ? .left : .failed, error: error))
    }
    await withTaskCancellationHandler {
      // It fails where the closing does; the connection is gone all the same.
      _ = try? await channel.closeFuture.get()
    } onCancel: {
      channel.close(promise: nil)
    }
  }

  /// The handler's answer; nil if the client leaves before.
  private func answer(of request: WebSocketRequest, _ channel: any Channel) async -> WebSocketAnswer? {
    await withTaskGroup(of: WebSocketAnswer?.self) { group in
      group.addTask { await handler(request) }
      group.addTask {
        await DepartureHandler.departure(from: channel)
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
  }

  private func acceptance(_ answer: WebSocketAnswer) throws(WebSocketRefusal) -> (String?, WebSocketAnswer.Serving) {
    switch answer {
    case .accept(let subprotocol, let serving): return (subprotocol, serving)
    case .refuse(let response): throw WebSocketRefusal(response)
    }
  }

  /// The close code for an error of the handler's.
  private func code(for error: any Error, _ entry: RequestJournal.Entry) -> WebSocketCloseCode {
    if error is CancellationError { return .goingAway }
    // Most of them say that the WebSocket is closed already, which is no fault of the server's.
    let isExpected = if let error = error as? WebSocketError { error.code != .crowded } else { false }
    if !isExpected { entry.logger.error("\(entry.summary) failed: \(error)") }
    return .internalError
  }

  private func refuse(
    _ response: Response, _ writer: consuming ResponseWriter, _ channel: any Channel, _ entry: RequestJournal.Entry
  ) async throws {
    var response = response
    if response.status.kind == .informational { response = Response(status: .internalServerError) }
    // The decoder has stopped: another protocol might have followed.
    response.headers[.connection] = "close"
    journal.sign(&response.headers, of: entry)
    do {
      try await writer.write(response: response.head, body: response.body)
      journal.finish(entry, with: response.status, nil)
    } catch {
      journal.finish(entry, with: response.status, Departure(ending: .left, error: error))
      throw error
    }
    channel.close(promise: nil)
  }
}
