import CLinux
import Dispatch
package import HTTP3Engine

/// Turns host names into addresses, off the tasks' threads: `getaddrinfo` blocks for as long as name servers are silent.
package enum NameResolver {
  /// The way in which transports look up a host; tests give their own.
  package typealias Resolve =
    @Sendable (_ host: String, _ port: UInt16, _ timeout: Duration) async throws -> [NetworkAddress]

  /// ``resolve(_:port:timeout:)``.
  package static let standard: Resolve = { host, port, timeout in
    try await resolve(host, port: port, timeout: timeout)
  }

  /// Addresses that are taken of one name.
  private static let limit = 16
  private static let threads = DispatchQueue(label: "name-resolver", attributes: .concurrent)

  /// The addresses of `host`, a name or a literal, in the order in which RFC 6724 prefers them.
  ///
  /// Throws ``TransportError``: `nameNotFound`, `connectTimeout` after `timeout`, `unreachable` when no name server
  /// answers, `cancelled`.
  package static func resolve(
    _ host: String, port: UInt16, timeout: Duration
  ) async throws(TransportError) -> [NetworkAddress] {
    if let literal = NetworkAddress(literal: host, port: port) { return [literal] }
    let answer = OneShot<[NetworkAddress]>()
    threads.async { answer.answer(lookUp(host, port: port)) }
    let patience = DispatchTimeInterval.nanoseconds(Int(clamping: timeout.nanosecondsClamped))
    threads.asyncAfter(deadline: .now() + patience) {
      answer.answer(
        .failure(
          TransportError(
            .connectTimeout, "No name server told the address of '\(host)' within \(timeout); check the network.")))
    }
    do {
      return try await answer.value()
    } catch let error as TransportError {
      throw error
    } catch {
      throw TransportError(.cancelled, "Looking up '\(host)' was cancelled.", cause: error)
    }
  }

  private static func lookUp(_ host: String, port: UInt16) -> Result<[NetworkAddress], any Error> {
    var list = [clinux_address](repeating: clinux_address(), count: limit)
    let count = clinux_resolve(host, port, false, &list, CInt(limit))
    guard count > 0 else {
      let reason = count == 0 ? "no address" : String(cString: clinux_resolve_message(count))
      return .failure(
        TransportError(
          count == 0 || clinux_resolve_is_not_found(count) ? .nameNotFound : .unreachable,
          "The name '\(host)' has no address that can be used: \(reason). Check the host's name and the network."))
    }
    return .success(list.prefix(Int(count)).compactMap { NetworkAddress($0) })
  }

  /// The same addresses with the families taking turns, the first one's first (RFC 8305 § 4).
  package static func interleave(_ addresses: [NetworkAddress]) -> [NetworkAddress] {
    guard let first = addresses.first else { return [] }
    let same = addresses.filter { $0.isIPv4 == first.isIPv4 }
    let other = addresses.filter { $0.isIPv4 != first.isIPv4 }
    var result: [NetworkAddress] = []
    for index in 0..<max(same.count, other.count) {
      if index < same.count { result.append(same[index]) }
      if index < other.count { result.append(other[index]) }
    }
    return result
  }
}
