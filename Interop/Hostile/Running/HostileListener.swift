import HTTP3Engine
import StreamTransport

/// A case's server on a UDP port, and another port beside it; lives on one event loop.
actor HostileListener {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  nonisolated let port: Int

  private let server: HostileServer
  private let socket: UDPSocket
  private let otherSocket: UDPSocket
  private var registration: EventLoop.Registration?
  private var timer: LoopTimer?

  init(_ testCase: HostileCase, _ credentials: ServerCredentials, port: UInt16, on loop: EventLoop) throws {
    self.loop = loop
    server = HostileServer(testCase, credentials, random: RandomSource())
    socket = try UDPSocket(bindingTo: .loopback(port: port))
    otherSocket = try UDPSocket(bindingTo: .loopback(port: 0))
    self.port = Int(socket.localAddress.port)
  }

  func open() throws {
    registration = try loop.register(socket, [.readable]) { [weak self] _ in self?.assumeIsolated { $0.receive() } }
    timer = LoopTimer(loop) { [weak self] in self?.assumeIsolated { $0.deadlinePassed() } }
  }

  func close() {
    if let registration { loop.unregister(registration, socket) }
    registration = nil
    timer?.cancel()
    socket.close()
    otherSocket.close()
  }

  /// Returns the observations so far, with all that has arrived.
  func observe() -> ClientObservation {
    if registration != nil { receive() }
    return server.observation
  }

  private func receive() {
    let now = loop.now
    socket.receiveAll(on: loop) { server.receive($0, on: $1, ecn: $2, at: now) }
    send()
  }

  private func deadlinePassed() {
    server.handleTimeout(at: loop.now)
    send()
  }

  /// Sends what is due. What the kernel does not take counts as lost: answers are small, and QUIC sends them again.
  private func send() {
    while let datagram = server.nextDatagram(at: loop.now) {
      let socket = datagram.fromOtherPort ? otherSocket : socket
      if socket.isBlocked, case .blocked = socket.sendPending() { continue }
      _ = datagram.bytes.withUnsafeBytes {
        socket.send($0, segmentSize: datagram.bytes.count, path: datagram.path, ecn: datagram.ecn)
      }
    }
    timer?.set(server.deadline)
  }
}
