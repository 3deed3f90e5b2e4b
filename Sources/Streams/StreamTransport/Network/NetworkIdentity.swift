import Crypto
import Foundation
package import HTTP3Engine

/// Tells one network from another, by the ways that lead out of it.
///
/// Interface and gateway of the default routes, and this machine's addresses there: an IPv6 gateway is one router's alone,
/// and where two IPv4 networks look the same to the last digit, what was learnt in one is believed in the other, which
/// costs no more than a race that begins the wrong way round. Only a digest leaves this type.
package struct NetworkIdentity: Hashable, Sendable {
  /// 16 hexadecimal digits.
  package let id: String

  /// - Parameters:
  ///   - ipv4Routes: the contents of `/proc/net/route`.
  ///   - ipv6Routes: the contents of `/proc/net/ipv6_route`.
  ///   - sources: the addresses that packets to the outside have.
  package init(ipv4Routes: String, ipv6Routes: String, sources: [NetworkAddress]) {
    let parts =
      [Self.defaultRoute(ofIPv4: ipv4Routes), Self.defaultRoute(ofIPv6: ipv6Routes)]
      + sources.map { Self.stablePart(of: $0) }
    let digest = SHA256.hash(data: Data(parts.joined(separator: "\n").utf8))
    id = digest.prefix(8).map { byte in
      let digits = String(byte, radix: 16)
      return digits.utf8.count == 1 ? "0\(digits)" : digits
    }.joined()
  }

  /// The network of this moment.
  package static var current: String {
    // Addresses for documentation (RFC 5737, RFC 3849): connecting UDP chooses a route and sends nothing.
    let outside = ["192.0.2.1", "2001:db8::1"].compactMap { NetworkAddress(literal: $0, port: 9) }
    return NetworkIdentity(
      ipv4Routes: contents("/proc/net/route"), ipv6Routes: contents("/proc/net/ipv6_route"),
      sources: outside.compactMap { try? UDPSocket(connectingTo: $0).localAddress }
    ).id
  }

  /// Tells from now on when the network may be another.
  package static func changes() -> AsyncStream<Void> {
    let (changes, tell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    guard let loop = try? EventLoopGroup.shared.get().nextLoop() else { return changes }
    let observer = OneShot<UInt64>()
    loop.execute { observer.answer(.success(loop.networkMonitor.add { tell.yield() })) }
    tell.onTermination = { _ in
      Task {
        let token = try await observer.value()
        loop.execute { loop.networkMonitor.remove(token) }
      }
    }
    return changes
  }

  private static func contents(_ path: String) -> String {
    String(decoding: (try? PrivateFile.read(path, limit: 1 << 20)) ?? [], as: UTF8.self)
  }

  /// Interface, destination, gateway, flags, two counters, metric (decimal), mask; addresses are hexadecimal.
  private static func defaultRoute(ofIPv4 table: String) -> String {
    best(of: table) { fields in
      guard fields.count >= 8, isZero(fields[1]), isZero(fields[7]), isUp(fields[3]) else { return nil }
      return (UInt64(fields[6]) ?? .max, "\(fields[0]) \(fields[2])")
    }
  }

  /// Destination, its length, source, its length, gateway, metric, two counters, flags, interface; all hexadecimal.
  private static func defaultRoute(ofIPv6 table: String) -> String {
    best(of: table) { fields in
      guard fields.count >= 10, isZero(fields[0]), isZero(fields[1]), isUp(fields[8]), fields[9] != "lo" else {
        return nil
      }
      return (UInt64(fields[5], radix: 16) ?? .max, "\(fields[9]) \(fields[4])")
    }
  }

  /// The route with the lowest metric, the first of several; empty where there is none.
  private static func best(of table: String, _ read: ([Substring]) -> (metric: UInt64, route: String)?) -> String {
    let routes = table.split(separator: "\n").compactMap { line in
      read(line.split(whereSeparator: { $0 == " " || $0 == "\t" }))
    }
    return routes.min { $0.metric < $1.metric }?.route ?? ""
  }

  private static func isZero(_ digits: Substring) -> Bool { digits.utf8.allSatisfy { $0 == UInt8(ascii: "0") } }

  /// `RTF_UP` without `RTF_REJECT`, of linux/route.h.
  private static func isUp(_ flags: Substring) -> Bool {
    UInt64(flags, radix: 16).map { $0 & 0x201 == 1 } ?? false
  }

  /// IPv6 hosts change the lower half of their addresses every day (RFC 8981).
  private static func stablePart(of address: NetworkAddress) -> String {
    switch address.ip {
    case .v4(let address): "4 \(address)"
    case .v6(let prefix, _, _): "6 \(prefix)"
    }
  }
}
