import HTTP3Engine
import NIOCore
import NIOPosix
import Synchronization

/// Lets SwiftNIO's Happy Eyeballs (RFC 8305) ask where HTTP/3 asks: bounded in time, and no lookup behind another's.
final class ConnectResolver: Resolver, Sendable {
  private let ipv4: EventLoopPromise<[SocketAddress]>
  private let ipv6: EventLoopPromise<[SocketAddress]>
  private let timeout: Duration
  private let lookUp: NameResolver.Resolve
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(loop: any NIOCore.EventLoop, timeout: Duration, lookUp: @escaping NameResolver.Resolve) {
    ipv4 = loop.makePromise()
    ipv6 = loop.makePromise()
    self.timeout = timeout
    self.lookUp = lookUp
  }

  /// Answered by the lookup that ``initiateAAAAQuery(host:port:)`` begins, which is asked for first.
  func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { ipv4.futureResult }

  func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    let query = Task { [ipv4, ipv6, lookUp, timeout] in
      do {
        guard let port = UInt16(exactly: port) else {
          throw TransportError(.invalidRequest, "Port \(port) is outside 1 to 65535.")
        }
        let addresses = try await lookUp(host, port, timeout)
        let (first, second) = (
          try addresses.filter { !$0.isIPv4 }.map { try $0.socketAddress() },
          try addresses.filter(\.isIPv4).map { try $0.socketAddress() }
        )
        ipv6.succeed(first)
        ipv4.succeed(second)
      } catch {
        ipv6.fail(error)
        ipv4.fail(error)
      }
    }
    task.withLock { $0 = query }
    return ipv6.futureResult
  }

  func cancelQueries() {
    task.withLock { $0 }?.cancel()
  }
}

extension NetworkAddress {
  /// SwiftNIO's form of this address.
  fileprivate func socketAddress() throws -> SocketAddress {
    var bytes = ByteBuffer()
    switch ip {
    case .v4(let address): bytes.writeInteger(address)
    case .v6(let high, let low, scope: 0): bytes.writeMultipleIntegers(high, low)
    case .v6:
      // A link-local address is none without its interface, which only the resolver puts into the system's form.
      let literal = String(description.dropFirst().prefix { $0 != "]" })
      return try SocketAddress.makeAddressResolvingHost(literal, port: Int(port))
    }
    return try SocketAddress(packedIPAddress: bytes, port: Int(port))
  }
}
