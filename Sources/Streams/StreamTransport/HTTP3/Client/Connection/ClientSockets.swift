import HTTP3Engine

/// The sockets of one connection: that of the path in use, of one that is tried, and of old ones that packets are still
/// on their way to. All are connected to the server, so a path's local address identifies its socket.
final class ClientSockets {
  private struct Place {
    let socket: UDPSocket
    var registration: EventLoop.Registration?

    var address: NetworkAddress { socket.localAddress }
  }

  private let loop: EventLoop
  private let network: LocalNetwork
  /// Seldom more than one, each with an address of its own.
  private var places: [Place]
  private var onReady: (@Sendable (NetworkAddress, Readiness) -> Void)?
  /// The local address of the first socket.
  let firstAddress: NetworkAddress

  /// Opens the first socket.
  init(to remote: NetworkAddress, network: LocalNetwork, on loop: EventLoop) throws(SystemError) {
    self.loop = loop
    self.network = network
    let first = try network.connect(remote)
    firstAddress = first.localAddress
    places = [Place(socket: first)]
  }

  /// Registers the sockets, and those that follow.
  func start(_ onReady: @escaping @Sendable (NetworkAddress, Readiness) -> Void) throws(SystemError) {
    self.onReady = onReady
    for index in places.indices { try register(at: index) }
  }

  /// A socket on the way to `remote` that the kernel would take now, with that path; nil without any.
  func route(to remote: NetworkAddress) -> (socket: UDPSocket, path: NetworkPath)? {
    guard let socket = try? network.connect(remote), let path = socket.path else { return nil }
    return (socket, path)
  }

  /// Whether this machine has the address, on an interface that is running.
  func hasAddress(_ address: NetworkAddress) -> Bool { network.contains(address) }

  /// False where the loop takes no more sockets; it is closed then.
  func add(_ socket: UDPSocket) -> Bool {
    let others = addresses
    places.append(Place(socket: socket))
    do {
      try register(at: places.count - 1)
      return true
    } catch {
      keepOnly(others)
      return false
    }
  }

  /// Closes all but those at `addresses`.
  func keepOnly(_ addresses: Set<NetworkAddress>) {
    for place in places where !addresses.contains(place.address) {
      if let registration = place.registration { loop.unregister(registration, place.socket) }
      place.socket.close()
    }
    places.removeAll { !addresses.contains($0.address) }
  }

  func closeAll() {
    keepOnly([])
    onReady = nil
  }

  var addresses: Set<NetworkAddress> { Set(places.map(\.address)) }

  /// Whether one keeps a batch back; nothing new may be produced for its path then.
  var isBlocked: Bool { places.contains { $0.socket.isBlocked } }

  func isBlocked(at address: NetworkAddress) -> Bool { socket(at: address)?.isBlocked ?? false }

  func receive(
    on address: NetworkAddress, _ each: (UnsafeRawBufferPointer, NetworkPath, ECNCodepoint) -> Void
  ) -> UDPSocket.ReceiveOutcome {
    socket(at: address)?.receive(into: loop.receiveBuffer, each) ?? .drained
  }

  /// Sends by the socket of the batch's path; without one, or where it keeps another back, the batch counts as lost.
  func send(_ batch: DatagramBatch) -> UDPSocket.SendOutcome {
    guard let socket = socket(at: batch.path.local), !socket.isBlocked else { return .done }
    return socket.send(batch)
  }

  func sendPending(on address: NetworkAddress) -> UDPSocket.SendOutcome {
    socket(at: address)?.sendPending() ?? .done
  }

  /// The addresses of the sockets that keep a batch back.
  var blocked: [NetworkAddress] { places.filter { $0.socket.isBlocked }.map(\.address) }

  /// Counts what is kept back as lost.
  func dropPending() {
    for address in blocked {
      socket(at: address)?.dropPending()
      setInterest([.readable], on: address)
    }
  }

  func setInterest(_ interest: Readiness, on address: NetworkAddress) {
    guard let place = places.first(where: { $0.address == address }), let registration = place.registration
    else { return }
    loop.change(registration, place.socket, to: interest)
  }

  private func socket(at address: NetworkAddress) -> UDPSocket? {
    places.first { $0.address == address }?.socket
  }

  private func register(at index: Int) throws(SystemError) {
    guard let onReady else { return }
    let (socket, address) = (places[index].socket, places[index].address)
    places[index].registration = try loop.register(socket, [.readable]) { onReady(address, $0) }
  }
}
