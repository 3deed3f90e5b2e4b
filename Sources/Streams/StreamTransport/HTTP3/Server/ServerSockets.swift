import HTTP3Engine

/// The sockets of one loop of a server: the one that clients begin at, and those of the addresses that it prefers to continue
/// at (RFC 9000 § 9.6).
final class ServerSockets {
  private let loop: EventLoop
  /// The first is where clients begin.
  private let sockets: [UDPSocket]
  private var registrations: [EventLoop.Registration] = []

  /// - Parameters:
  ///   - given: a socket where clients begin that need not be bound; nil for one at the first address.
  ///   - addresses: where clients begin, and then those that are preferred.
  ///   - place: the loop's place among those that share the addresses, which bind in this order; nil where it is the only one.
  init(
    _ given: UDPSocket?, bindingTo addresses: [NetworkAddress], for place: LoopPlace?, on loop: EventLoop
  ) throws(SystemError) {
    self.loop = loop
    var sockets = given.map { [$0] } ?? []
    for address in addresses.dropFirst(sockets.count) { sockets.append(try Self.socket(at: address, for: place)) }
    self.sockets = sockets
  }

  /// The first loop's socket is bound as if it were the only one, so that an address that is taken is noticed.
  private static func socket(at address: NetworkAddress, for place: LoopPlace?) throws(SystemError) -> UDPSocket {
    guard let place else { return try UDPSocket(bindingTo: address) }
    let socket = try UDPSocket(bindingTo: address, joining: place.index > 0)
    if place.index == 0 { try socket.share() }
    if place.index == place.steering.loopCount - 1 { try socket.steer(place.steering) }
    return socket
  }

  /// The addresses, with the ports that the system chose where none was named.
  var addresses: [NetworkAddress] { sockets.map(\.localAddress) }

  /// Starts to listen; `onReady` receives the socket's index.
  func start(_ onReady: @escaping @Sendable (Int, Readiness) -> Void) throws(SystemError) {
    for (index, socket) in sockets.enumerated() {
      registrations.append(try loop.register(socket, [.readable]) { onReady(index, $0) })
    }
  }

  func closeAll() {
    for (registration, socket) in zip(registrations, sockets) { loop.unregister(registration, socket) }
    registrations = []
    for socket in sockets { socket.close() }
  }

  func receive(
    at index: Int, _ each: (UnsafeRawBufferPointer, NetworkPath, ECNCodepoint) -> Void
  ) -> UDPSocket.ReceiveOutcome {
    sockets[index].receive(into: loop.receiveBuffer, each)
  }

  /// Datagrams that the kernel has dropped, for want of room in a receive buffer, since the last call.
  func takeKernelDrops() -> UInt64 { sockets.reduce(0) { $0 + UInt64($1.takeKernelDrops()) } }

  // MARK: Out

  /// Whether one keeps a batch back; nothing new may be produced then.
  var isBlocked: Bool { sockets.contains { $0.isBlocked } }

  /// Sends by the socket of the batch's path. The time to wait where the kernel gives no sign; nil where it does, or
  /// where nothing is kept back.
  func send(_ batch: DatagramBatch) -> Duration? {
    let index = sockets.indices.dropFirst().first { sockets[$0].localAddress == batch.path.local } ?? 0
    return wait(for: index, after: sockets[index].send(batch))
  }

  /// Forgets what was kept back.
  func dropPending() {
    for socket in sockets { socket.dropPending() }
  }

  /// Sends what was kept back, and answers as ``send(_:)``.
  func sendPending() -> Duration? {
    var longest: Duration?
    for index in sockets.indices where sockets[index].isBlocked {
      let outcome = sockets[index].sendPending()
      if let wait = wait(for: index, after: outcome) { longest = max(longest ?? wait, wait) }
      if !sockets[index].isBlocked { setInterest([.readable], at: index) }
    }
    return longest
  }

  /// A path that fails loses its packets, and QUIC repairs or times out; the socket serves the others.
  private func wait(for index: Int, after outcome: UDPSocket.SendOutcome) -> Duration? {
    guard case .blocked(let retryAfter) = outcome else { return nil }
    if retryAfter == nil { setInterest([.readable, .writable], at: index) }
    return retryAfter
  }

  private func setInterest(_ interest: Readiness, at index: Int) {
    guard registrations.indices.contains(index) else { return }
    loop.change(registrations[index], sockets[index], to: interest)
  }
}
