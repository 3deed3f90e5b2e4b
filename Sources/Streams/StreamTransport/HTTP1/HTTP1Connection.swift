import NIOCore
import NIOPosix

/// One connection whose handshake is done, callable from any task.
final class HTTP1Connection: Identifiable, Sendable {
  let info: ConnectionInfo
  private let channel: any Channel
  private let handler: NIOLoopBound<HTTP1ConnectionHandler>

  /// Called on the channel's event loop.
  init(info: ConnectionInfo, channel: any Channel, handler: HTTP1ConnectionHandler) {
    self.info = info
    self.channel = channel
    self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
  }

  var id: ObjectIdentifier { ObjectIdentifier(channel) }

  /// Sends a request and returns with the response's fields.
  ///
  /// Throws ``TransportError``, or ``StaleConnection`` where the connection ended before the response.
  func send(_ request: HTTP1Request, slot: RequestSlot) async throws -> HTTP1Answer {
    let answer = channel.eventLoop.makePromise(of: HTTP1Answer.self)
    let pump = RequestPump()
    let number = try await channel.eventLoop.submit { [handler] in
      handler.value.begin(request, answer, pump: pump, slot: slot)
    }.get()
    guard let number else { return try await answer.futureResult.get() }
    if case .stream(let source) = request.body {
      pump.start(source) { chunk in
        try await self.write(chunk, of: number)
      } end: { error in
        self.endRequest(of: number, error)
      }
    }
    return try await withTaskCancellationHandler {
      try await answer.futureResult.get()
    } onCancel: {
      onLoop { $0.cancel(number, TransportError(.cancelled, "The request was cancelled.")) }
    }
  }

  /// The connection was put aside for the next request; it closes itself after the idle limit.
  func wasParked() {
    onLoop { $0.startIdleTimer() }
  }

  /// Closes the connection and fails what is in flight with `error`.
  func close(_ error: TransportError) {
    onLoop { $0.close(error) }
  }

  /// Sets what is called on the event loop when the connection can take another request, and when it is gone.
  func observe(
    onIdle: @escaping @Sendable () -> Void, onClose: @escaping @Sendable (TransportError) -> Void
  ) async {
    let isOpen = try? await channel.eventLoop.submit { [handler] in
      guard handler.value.isIdle else { return false }
      handler.value.onIdle = onIdle
      handler.value.onClose = onClose
      return true
    }.get()
    // It ended between the handshake and this call.
    if isOpen != true { onClose(TransportError(.connectionLost, "The connection ended before it was used.")) }
  }

  /// The kernel's figures (`TCP_INFO` of tcp(7)); none once the connection is closed. It counts segments, and bytes
  /// of acknowledged data alone, so neither is reported.
  func snapshot() async -> ConnectionSnapshot {
    var snapshot = ConnectionSnapshot(connection: info)
    guard let options = channel as? any SocketOptionProvider,
      let information = try? await options.getTCPInfo().get()
    else { return snapshot }
    if information.tcpi_rtt != 0 { snapshot.roundTrip = .microseconds(information.tcpi_rtt) }
    snapshot.congestionWindow = UInt64(information.tcpi_snd_cwnd) * UInt64(information.tcpi_snd_mss)
    return snapshot
  }

  private func write(_ chunk: [UInt8], of number: Int) async throws {
    let done = channel.eventLoop.makePromise(of: Void.self)
    onLoop { $0.write(chunk, of: number, done) }
    try await done.futureResult.get()
  }

  private func endRequest(of number: Int, _ error: (any Error)?) {
    onLoop { handler in
      guard let error else { return handler.finishRequest(of: number) }
      let reason =
        (error as? TransportError)
        ?? TransportError(.invalidRequest, "The request's body ended with an error: \(error).", cause: error)
      handler.cancel(number, reason)
    }
  }

  private func onLoop(_ body: @escaping @Sendable (HTTP1ConnectionHandler) -> Void) {
    channel.eventLoop.execute { [handler] in body(handler.value) }
  }
}
