package import HTTPTypes

extension HTTP3Transport {
  private enum Step: Sendable {
    case connected(HTTP3ClientConnection)
    case offered(HTTP3ClientConnection?)
  }

  /// Whether a request may reach the server twice, which early data cannot rule out: safe ones without a body
  /// (RFC 8470 § 2.1, RFC 9110 § 9.2.1).
  package static func maySendEarly(_ request: HTTPRequest, body: RequestBody) -> Bool {
    guard case .none = body else { return false }
    return RequestRules.isSafe(request.method)
  }

  /// The same for a request in the caller's form, which has to be one that ``maySendEarly(_:body:)``.
  package func sendEarly(_ request: HTTPRequest) async throws -> TransportResponse? {
    try await metrics.measureAttempt(by: clock) { try await sendEarly(try prepare(request, body: .none)) }
  }

  /// Sends the request as early data, beside the handshake. Nil where no ticket allows it, where a connection is there
  /// already, or where the server refused it; nothing of it was processed then, and it may be sent the usual way.
  func sendEarly(_ request: HTTP3Request) async throws -> TransportResponse? {
    guard configuration.sendsEarlyData, connections.usable == nil else { return nil }
    let epoch = connections.epoch
    return try await withThrowingTaskGroup(of: Step.self) { group in
      // Keeps the opening alive, for which no other task may be waiting.
      group.addTask { [self] in
        .connected(try await self.connection())
      }
      group.addTask { [offers] in .offered(await offers.value()) }
      let offered: HTTP3ClientConnection
      switch try await group.next() {
      case .offered(let connection?): offered = connection
      case .offered(nil):
        _ = try await group.next()
        return nil
      case .connected, nil:
        group.cancelAll()
        return nil
      }
      do {
        let response = try await offered.send(request)
        // The response shows that the handshake is complete: the opening ends with it, or another one's did just before
        // and this connection is closed.
        let opened = try? await group.next()
        guard case .connected(let chosen)? = opened, chosen === offered, response.head.status.code != 425 else {
          response.body.cancel()
          guard connections.epoch == epoch else { throw TransportError.closedByCaller() }
          return nil
        }
        return response
      } catch {
        // The transport was closed: nothing is sent again.
        guard connections.epoch == epoch else { throw (error as? UnsentRequest)?.reason ?? error }
        if Task.isCancelled { throw TransportError(.cancelled, "The request was cancelled.", cause: error) }
        let wasRefused = error is UnsentRequest || (error as? TransportError)?.code == .notProcessed
        // What goes wrong after the handshake is the request's own end, as without early data.
        let wasNotChosen = (error as? TransportError)?.code == .cancelled && connections.current !== offered
        if !wasRefused, !wasNotChosen, await offered.info != nil { throw error }
        // Refused, or another address was faster. What is wrong with the server, the opening tells.
        _ = try await group.next()
        return nil
      }
    }
  }
}
