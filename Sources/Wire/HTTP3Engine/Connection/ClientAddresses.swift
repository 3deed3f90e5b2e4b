/// The hosts that a server's library sees behind the addresses of its client's datagrams.
///
/// A NAT that gives a client another port has mostly forgotten the old one, and all that is in flight is lost. ngtcp2 (1.11)
/// keeps the congestion window and the probe time-out when only the port is new, and writes no PATH_CHALLENGE while the
/// window is full or pacing waits (ngtcp2_conn_write_vmsg): a client that only listens gets no more than an
/// acknowledgement before that time-out, which has doubled with each probe meanwhile. At another host all begins again,
/// which RFC 9000 § 9.4 allows at another port too. So a port that comes up while much is in flight is given as another
/// host's. And so is the address that the client left, once the new one is proven: ngtcp2 before 1.25 takes no notice of a
/// client that is there again while it tries the way back (ngtcp2#2257).
struct ClientAddresses {
  /// Stands for a host that does not exist; 0 for the true one.
  typealias Host = UInt8

  private static let limit = 8

  private struct Seen {
    let address: NetworkAddress
    var host: Host
    /// Whether the client has answered from there, so that as much may be sent as the window allows.
    var isProven: Bool
    /// Bytes, while it is not proven.
    var received = 0
    var sent = 0
  }

  /// The paths seen lately, the newest last: a path has to stay as the library knows it. Anybody can fill it; of a
  /// path that is forgotten the library thinks as of a new one.
  private var seen: [Seen] = []
  private var lastHost: Host = 0
  /// Whether one of them is not proven.
  private(set) var hasUnproven = false
  /// The time at which the library is asked for packets although nothing may be sent; nil while something may.
  private(set) var verdictDue: Timestamp?

  /// The host of the address that datagrams came from last; nil if that was another.
  func lastHost(of address: NetworkAddress) -> Host? {
    guard let last = seen.last, last.address == address else { return nil }
    return last.host
  }

  /// The host that stands for `address`, while packets go to `current`.
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
    remember(address, host, isProven: address == current)
    return host
  }

  /// The client has left `address` for one that is proven to be its own.
  mutating func didLeave(_ address: NetworkAddress, for currentHost: Host) {
    seen.removeAll { $0.address == address }
    remember(address, newHost(beside: currentHost), isProven: false)
  }

  /// The client has answered from `address`.
  mutating func didProve(_ address: NetworkAddress) {
    change(address) { $0.isProven = true }
    hasUnproven = seen.contains { !$0.isProven }
  }

  // What may be sent to an address that is not proven is three times what came from there (RFC 9000 § 8.1). The library
  // (1.11) keeps to that; but asked for a packet while nothing is left, it stops the timer that would find out what was
  // lost, and with a full window never starts it again. So it is not asked then.

  mutating func didReceive(_ count: Int, from address: NetworkAddress) {
    if hasUnproven { change(address) { $0.received += count } }
  }

  /// Sending more than the limit proves the address as well: the library does not report an answer to a challenge that
  /// was too small to try the path's MTU with (§ 8.2.1), and keeps trying.
  mutating func didSend(_ count: Int, to address: NetworkAddress) {
    guard hasUnproven else { return }
    change(address) { $0.sent += count }
    if let place = seen.last(where: { $0.address == address }), place.sent > 3 * place.received { didProve(address) }
  }

  /// Whether nothing may be sent to `address` before more has come from there: all that was allowed was sent, to the byte.
  func isSpent(_ address: NetworkAddress) -> Bool {
    guard let place = seen.last(where: { $0.address == address }) else { return false }
    return !place.isProven && place.sent == 3 * place.received
  }

  /// Whether the library may not be asked for packets to `address` now. Only when asked it finds, though, that nobody has
  /// answered from there in time, and goes back to where the client was before (RFC 9000 § 9.3.2): it is asked once more
  /// after `longestTrial`.
  mutating func isLimitReached(
    sendingTo address: @autoclosure () -> NetworkAddress?, longestTrial: @autoclosure () -> Duration, at now: Timestamp
  ) -> Bool {
    guard hasUnproven, let address = address(), isSpent(address) else {
      if verdictDue != nil { verdictDue = nil }
      return false
    }
    if let due = verdictDue, due > now { return true }
    defer { verdictDue = now + longestTrial() }
    return verdictDue == nil
  }

  private mutating func change(_ address: NetworkAddress, _ body: (inout Seen) -> Void) {
    guard let index = seen.lastIndex(where: { $0.address == address }) else { return }
    body(&seen[index])
  }

  /// One that nobody has: junk from many ports may have used them all up once.
  private mutating func newHost(beside current: Host) -> Host {
    repeat {
      lastHost &+= 1
    } while lastHost == 0 || lastHost == current || seen.contains { $0.host == lastHost }
    return lastHost
  }

  /// Makes it the newest; one that was seen stays as it was.
  private mutating func remember(_ address: NetworkAddress, _ host: Host, isProven: Bool) {
    let new: Seen
    if let index = seen.firstIndex(where: { $0.address == address }) {
      new = seen.remove(at: index)
    } else {
      new = Seen(address: address, host: host, isProven: isProven)
      if seen.count == Self.limit { seen.removeFirst() }
    }
    seen.append(new)
    hasUnproven = seen.contains { !$0.isProven }
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
