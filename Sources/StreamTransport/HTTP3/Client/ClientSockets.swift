import HTTP3Engine

/// The sockets of one connection: that of the path in use, of one that is tried, and of old ones that packets are still
/// on their way to. All are connected to the server, so a path's own address tells which is meant.
final class ClientSockets {
  private let loop: EventLoop
  private var sockets: [NetworkAddress: UDPSocket]
  private var registrations: [NetworkAddress: EventLoop.Registration] = [:]
  private var onReady: (@Sendable (NetworkAddress, Readiness) -> Void)?

  init(_ first: UDPSocket, on loop: EventLoop) {
    self.loop = loop
    sockets = [first.localAddress: first]
  }

  /// Registers the sockets, and those that follow.
  func start(_ onReady: @escaping @Sendable (NetworkAddress, Readiness) -> Void) throws(SystemError) {
    self.onReady = onReady
    for address in sockets.keys { try register(address) }
  }

  func add(_ socket: UDPSocket) throws(SystemError) {
    sockets[socket.localAddress] = socket
    try register(socket.localAddress)
  }

  /// Closes all but those at `addresses`.
  func keepOnly(_ addresses: Set<NetworkAddress>) {
    for (address, socket) in sockets where !addresses.contains(address) {
      if let registration = registrations.removeValue(forKey: address) { loop.unregister(registration, socket) }
      socket.close()
      sockets[address] = nil
    }
  }

  func closeAll() {
    keepOnly([])
    onReady = nil
  }

  var addresses: Set<NetworkAddress> { Set(sockets.keys) }

  /// Whether one keeps a batch back; nothing new may be produced for its path then.
  var isBlocked: Bool { sockets.values.contains { $0.isBlocked } }

  func isBlocked(at address: NetworkAddress) -> Bool { sockets[address]?.isBlocked ?? false }

  func receive(
    on address: NetworkAddress, _ each: (UnsafeRawBufferPointer, NetworkPath, ECNCodepoint) -> Void
  ) -> UDPSocket.ReceiveOutcome {
    sockets[address]?.receive(into: loop.receiveBuffer, each) ?? .drained
  }

  /// Sends by the socket of the batch's path; without one, or where it keeps another back, the batch counts as lost.
  func send(_ batch: DatagramBatch) -> UDPSocket.SendOutcome {
    guard let socket = sockets[batch.path.local], !socket.isBlocked else { return .done }
    return socket.send(batch)
  }

  func sendPending(on address: NetworkAddress) -> UDPSocket.SendOutcome {
    sockets[address]?.sendPending() ?? .done
  }

  /// The addresses of the sockets that keep a batch back.
  var blocked: [NetworkAddress] { sockets.filter { $0.value.isBlocked }.map(\.key) }

  /// Counts what is kept back as lost.
  func dropPending() {
    for address in blocked {
      sockets[address]?.dropPending()
      setInterest([.readable], on: address)
    }
  }

  func setInterest(_ interest: Readiness, on address: NetworkAddress) {
    guard let socket = sockets[address], let registration = registrations[address] else { return }
    loop.change(registration, socket, to: interest)
  }

  private func register(_ address: NetworkAddress) throws(SystemError) {
    guard let onReady, let socket = sockets[address] else { return }
    registrations[address] = try loop.register(socket, [.readable]) { onReady(address, $0) }
  }
}
