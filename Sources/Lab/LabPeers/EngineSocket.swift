package import HTTP3Engine
package import StreamTransport

/// An actor that has an ``EngineSocket`` on its loop.
package protocol EngineSocketOwner: LoopActor {
  /// Called when datagrams wait; for ``EngineSocket/receive(where:)``.
  func receive()
  /// Called at the engine's deadline; for ``EngineSocket/handleTimeout()``.
  func handleTimeout()
}

/// A client's engine with its loopback socket and its timer, for an actor on their loop.
package final class EngineSocket {
  package let engine: HTTP3Connection
  private let socket: UDPSocket
  private let loop: EventLoop
  private var registration: EventLoop.Registration?
  private var timer: LoopTimer?

  /// Prepares a connection to a port of this machine; the first packet leaves with ``pass(_:)``.
  ///
  /// - Parameter source: the address to come from, any of 127.0.0.0/8.
  package init(
    _ configuration: ClientConfiguration, to port: Int, from source: NetworkAddress.IP = .v4(0x7f00_0001),
    on loop: EventLoop
  ) throws {
    let socket = try UDPSocket(
      connectingTo: .loopback(port: UInt16(clamping: port)), from: NetworkAddress(ip: source, port: 0))
    guard let path = socket.path else { throw HTTP3Error(.internal, "The socket has no path.") }
    self.socket = socket
    self.loop = loop
    engine = try HTTP3Connection.client(configuration, path: path, at: loop.now, random: RandomSource())
  }

  /// Registers with the loop, which calls the actor when there is something to receive, and at the engine's deadline.
  package func open(for owner: some EngineSocketOwner) throws(SystemError) {
    registration = try loop.register(socket, [.readable]) { [weak owner] _ in owner?.assumeIsolated { $0.receive() } }
    timer = LoopTimer(loop) { [weak owner] in owner?.assumeIsolated { $0.handleTimeout() } }
  }

  /// Hands the engine the datagrams that wait, without those that `isWanted` refuses.
  package func receive(where isWanted: (UnsafeRawBufferPointer) -> Bool = { _ in true }) {
    let now = loop.now
    _ = socket.receive(into: loop.receiveBuffer) { bytes, path, ecn in
      if isWanted(bytes) { engine.receive(bytes, on: path, ecn: ecn, at: now) }
    }
  }

  package func handleTimeout() { engine.handleTimeout(at: loop.now) }

  /// Sends what the engine has to send, hands its events to `handle`, and sets the timer.
  package func pass(_ handle: (HTTP3Event) -> Void) {
    guard registration != nil else { return }
    var isBusy = true
    while isBusy {
      isBusy = false
      while !socket.isBlocked, engine.fill(&loop.batch, at: loop.now) {
        // What the kernel has no room for is lost, and QUIC sends it again.
        if case .blocked = socket.send(loop.batch) { socket.dropPending() }
      }
      while let event = engine.nextEvent() {
        isBusy = true
        handle(event)
      }
    }
    timer?.set(engine.deadline)
  }

  /// Closes the socket; the peer is not notified.
  package func close() {
    if let registration { loop.unregister(registration, socket) }
    registration = nil
    timer?.cancel()
    timer = nil
    socket.close()
  }
}
