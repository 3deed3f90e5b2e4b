/// How a server's library is told of the addresses that its client's datagrams come from: as of which host.
///
/// A NAT that gives a client another port has mostly forgotten the old one, and all that is in flight is lost. ngtcp2 (1.11)
/// keeps the congestion window and the probe time-out when only the port is new, and writes no PATH_CHALLENGE while the
/// window is full or pacing waits (ngtcp2_conn_write_vmsg): a client that only listens gets no more than an
/// acknowledgement before that time-out, which has doubled with each probe meanwhile. At another host all begins anew,
/// which RFC 9000 § 9.4 allows at another port too. So a port that comes up while much is in flight is told as another
/// host's. And so is the address that the client left, once the new one is proven: ngtcp2 before 1.25 takes no notice of a
/// client that is there again while it tries the way back (ngtcp2#2257).
struct ClientAddresses {
  /// Stands for a host that does not exist; 0 for the true one.
  typealias Host = UInt8

  private static let limit = 8

  /// What was seen lately, the newest last: a path has to stay as the library knows it. Anybody can fill it; of a path that
  /// is forgotten the library thinks as of a new one.
  private var seen: [(address: NetworkAddress, host: Host)] = []
  private var lastHost: Host = 0

  /// The host of the address that datagrams came from last; nil if that was another.
  func lastHost(of address: NetworkAddress) -> Host? {
    guard let last = seen.last, last.address == address else { return nil }
    return last.host
  }

  /// The host to tell `address` as, while packets go to `current`.
  mutating func host(
    of address: NetworkAddress, current: NetworkAddress, currentHost: Host, muchIsInFlight: Bool
  ) -> Host {
    let host: Host
    if address == current {
      host = currentHost
    } else if let known = seen.first(where: { $0.address == address }) {
      host = known.host
    } else {
      host = muchIsInFlight && address.ip == current.ip ? newHost(beside: currentHost) : currentHost
    }
    remember(address, host)
    return host
  }

  /// The client has left `address` for one that is proven to be its own.
  mutating func didLeave(_ address: NetworkAddress, for currentHost: Host) {
    remember(address, newHost(beside: currentHost))
  }

  /// One that nobody has: junk from many ports may have used them all up once.
  private mutating func newHost(beside current: Host) -> Host {
    repeat {
      lastHost &+= 1
    } while lastHost == 0 || lastHost == current || seen.contains { $0.host == lastHost }
    return lastHost
  }

  private mutating func remember(_ address: NetworkAddress, _ host: Host) {
    seen.removeAll { $0.address == address }
    if seen.count == Self.limit { seen.removeFirst() }
    seen.append((address, host))
  }
}

extension NetworkAddress {
  /// The same port of another host; of that one's, with the same number, it is this one.
  func at(_ host: ClientAddresses.Host) -> NetworkAddress {
    let ip: IP =
      switch self.ip {
      case .v4(let value): .v4(value ^ UInt32(host) << 24)
      case .v6(let high, let low, let scope): .v6(high ^ UInt64(host) << 56, low, scope: scope)
      }
    return NetworkAddress(ip: ip, port: port)
  }
}
