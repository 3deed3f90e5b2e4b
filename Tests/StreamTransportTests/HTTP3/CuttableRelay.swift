import HTTP3Engine
import StreamTransport
import Synchronization

/// A UDP relay on loopback that drops what the test wants, by the clients that it knows.
final class CuttableRelay: Sendable {
  private final class Client {
    var socket: UDPSocket
    var registration: EventLoop.Registration?
    let path: NetworkPath
    let number: Int

    init(_ socket: UDPSocket, _ path: NetworkPath, number: Int) {
      self.socket = socket
      self.path = path
      self.number = number
    }
  }

  /// On the loop's thread only.
  private final class Sockets: @unchecked Sendable {
    var clients: [NetworkAddress: Client] = [:]
    var front: UDPSocket?
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: EventLoop.receiveBufferSize, alignment: 16)

    deinit {
      buffer.deallocate()
    }
  }

  let port: Int
  private let loop: EventLoop
  private let server: Mutex<NetworkAddress>
  private let sockets = Sockets()
  private let cut = Mutex<Set<Int>>([])
  private let seen = Atomic<Int>(0)

  /// - Parameter server: the port on loopback to relay to.
  init(to server: Int) throws {
    loop = try EventLoop(name: "relay")
    self.server = Mutex(.loopback(port: UInt16(clamping: server)))
    let front = try UDPSocket(bindingTo: .loopback(port: 0))
    port = Int(front.localAddress.port)
    sockets.front = front
    loop.execute { [self] in
      guard let front = sockets.front else { return }
      _ = try? loop.register(front, [.readable]) { [weak self] _ in self?.receiveFromClients() }
    }
  }

  /// Whether client `number`, counted from 1 in the order of appearance, is cut off; both ways and without a sign.
  func setCut(_ isCut: Bool, client number: Int) {
    cut.withLock { cut in
      if isCut { cut.insert(number) } else { cut.remove(number) }
    }
  }

  /// Gives all clients other ports on the server's side, as a translator does that has forgotten them.
  func rebind() async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      loop.execute { [self] in
        for client in sockets.clients.values {
          guard let server = client.socket.path?.remote, let socket = try? UDPSocket(connectingTo: server) else {
            continue
          }
          if let registration = client.registration { loop.unregister(registration, client.socket) }
          client.socket.close()
          client.socket = socket
          register(client)
        }
        done.resume()
      }
    }
  }

  /// Clients that appear from now on are another server's.
  func relayNewClients(to port: Int) {
    server.withLock { $0 = .loopback(port: UInt16(clamping: port)) }
  }

  /// Clients that have appeared.
  var clientCount: Int { seen.load(ordering: .relaxed) }

  func stop() {
    loop.stop()
  }

  private func receiveFromClients() {
    var arrived: [([UInt8], NetworkPath)] = []
    _ = sockets.front?.receive(into: sockets.buffer) { bytes, path, _ in arrived.append((Array(bytes), path)) }
    for (bytes, path) in arrived {
      guard let client = client(path), !cut.withLock({ $0.contains(client.number) }), let path = client.socket.path
      else { continue }
      _ = bytes.withUnsafeBytes { client.socket.send($0, segmentSize: bytes.count, path: path, ecn: .notECT) }
    }
  }

  private func client(_ path: NetworkPath) -> Client? {
    if let known = sockets.clients[path.remote] { return known }
    guard let socket = try? UDPSocket(connectingTo: server.withLock { $0 }) else { return nil }
    let client = Client(socket, path, number: sockets.clients.count + 1)
    sockets.clients[path.remote] = client
    seen.store(client.number, ordering: .relaxed)
    register(client)
    return client
  }

  private func register(_ client: Client) {
    let address = client.path.remote
    client.registration = try? loop.register(client.socket, [.readable]) { [weak self] _ in
      self?.receiveFromServer(address)
    }
  }

  private func receiveFromServer(_ address: NetworkAddress) {
    guard let client = sockets.clients[address], let front = sockets.front else { return }
    var arrived: [[UInt8]] = []
    _ = client.socket.receive(into: sockets.buffer) { bytes, _, _ in arrived.append(Array(bytes)) }
    guard !cut.withLock({ $0.contains(client.number) }) else { return }
    for bytes in arrived {
      _ = bytes.withUnsafeBytes { front.send($0, segmentSize: bytes.count, path: client.path, ecn: .notECT) }
    }
  }
}
