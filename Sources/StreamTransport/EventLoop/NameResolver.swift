import CLinux
import Dispatch
package import HTTP3Engine
import Synchronization

/// Turns host names into addresses, off the tasks' threads: `getaddrinfo` blocks for as long as name servers are silent.
///
/// Everybody asks for himself, and the first answer serves all who wait for the same name: one lost packet costs the
/// first of two racers no more than the time until the second asks.
package final class NameResolver: Sendable {
  /// The way in which transports look up a host; tests give their own.
  package typealias Resolve =
    @Sendable (_ host: String, _ port: UInt16, _ timeout: Duration) async throws -> [NetworkAddress]
  /// Asks the system, on a thread that may be blocked; the addresses' port does not matter.
  package typealias Ask = @Sendable (_ host: String) -> Result<[NetworkAddress], TransportError>

  /// The cause of an error that is the name servers' own: it says nothing of the way to the host.
  package struct Failure: Error {
    package init() {}
  }

  /// ``resolve(_:port:timeout:)`` of the resolver that all share.
  package static let standard: Resolve = { host, port, timeout in
    try await resolve(host, port: port, timeout: timeout)
  }

  private static let shared = NameResolver { askSystem($0) }
  /// Addresses that are taken of one name.
  private static let limit = 16
  private static let threads = DispatchQueue(label: "name-resolver", attributes: .concurrent)

  private let ask: Ask
  /// Who waits for a name's addresses.
  private let waiting = Mutex<[String: [OneShot<[NetworkAddress]>]]>([:])

  package init(ask: @escaping Ask) {
    self.ask = ask
  }

  /// ``resolve(_:port:timeout:)`` of the resolver that all share.
  package static func resolve(
    _ host: String, port: UInt16, timeout: Duration
  ) async throws(TransportError) -> [NetworkAddress] {
    try await shared.resolve(host, port: port, timeout: timeout)
  }

  /// The addresses of `host`, a name or a literal, in the order in which RFC 6724 prefers them.
  ///
  /// Throws ``TransportError``: `nameNotFound`, `connectTimeout` after `timeout`, `unreachable` when no name server
  /// answers, the latter two with ``Failure`` as cause; `cancelled`.
  package func resolve(
    _ host: String, port: UInt16, timeout: Duration
  ) async throws(TransportError) -> [NetworkAddress] {
    if let literal = NetworkAddress(literal: host, port: port) { return [literal] }
    let answer = OneShot<[NetworkAddress]>()
    waiting.withLock { $0[host, default: []].append(answer) }
    defer { leave(host, answer) }
    Self.threads.async { [self] in
      switch ask(host) {
      case .success(let found):
        for waiter in waiting.withLock({ $0[host] ?? [] }) { waiter.answer(.success(found)) }
      case .failure(let error): answer.answer(.failure(error))
      }
    }
    let patience = DispatchTimeInterval.nanoseconds(Int(clamping: timeout.nanosecondsClamped))
    Self.threads.asyncAfter(deadline: .now() + patience) {
      answer.answer(
        .failure(
          TransportError(
            .connectTimeout, "No name server told the address of '\(host)' within \(timeout); check the network.",
            cause: Failure())))
    }
    do {
      return try await answer.value().map { NetworkAddress(ip: $0.ip, port: port) }
    } catch let error as TransportError {
      throw error
    } catch {
      throw TransportError(.cancelled, "Looking up '\(host)' was cancelled.", cause: error)
    }
  }

  private func leave(_ host: String, _ answer: OneShot<[NetworkAddress]>) {
    waiting.withLock { waiting in
      waiting[host]?.removeAll { $0 === answer }
      if waiting[host]?.isEmpty == true { waiting[host] = nil }
    }
  }

  private static func askSystem(_ host: String) -> Result<[NetworkAddress], TransportError> {
    var list = [clinux_address](repeating: clinux_address(), count: limit)
    let count = clinux_resolve(host, 0, false, &list, CInt(limit))
    guard count > 0 else {
      let reason = count == 0 ? "no address" : String(cString: clinux_resolve_message(count))
      let isNotFound = count == 0 || clinux_resolve_is_not_found(count)
      return .failure(
        TransportError(
          isNotFound ? .nameNotFound : .unreachable,
          "The name '\(host)' has no address that can be used: \(reason). Check the host's name and the network.",
          cause: isNotFound ? nil : Failure()))
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
