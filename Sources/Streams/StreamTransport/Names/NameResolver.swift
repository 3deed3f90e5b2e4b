package import HTTP3Engine

/// Turns host names into addresses, on an event loop: no thread waits for a name server.
///
/// It asks as this machine's files say: nsswitch.conf(5) for the order, hosts(5), resolv.conf(5). All who ask for a name at
/// the same time share one look-up, which lasts until it is answered or nobody waits for it any more.
package actor NameResolver: LoopActor {
  /// The way in which transports look up a host; tests give their own.
  package typealias Resolve =
    @Sendable (_ host: String, _ port: UInt16, _ timeout: Duration) async throws -> [NetworkAddress]

  /// The cause of an error that is the name servers' own: it says nothing of the way to the host.
  package struct Failure: Error {
    package init() {}
  }

  private struct Lookup {
    let number: Int
    /// Nil as long as it waits for its turn.
    var task: Task<Void, Never>?
    var waiting: [OneShot<[NetworkAddress]>] = []
  }

  /// Names that are looked up at once; further ones wait for their turn.
  package static let limit = 64
  /// On a thread of its own, so that what name servers send costs no other connection its time.
  private static let shared: Result<NameResolver, SystemError> = Result { () throws(SystemError) in
    NameResolver(loop: try EventLoop(name: "names"), files: .system)
  }

  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  private let search: NameSearch
  private var lookups: [HostName: Lookup] = [:]
  private var started = 0
  private var running = 0
  /// The names that wait for their turn.
  private var queue: [HostName] = []

  package init(loop: EventLoop, files: NameFiles) {
    self.loop = loop
    search = NameSearch(files: files, loop: loop)
  }

  /// ``resolve(_:port:timeout:)`` of the resolver that all share.
  package static let standard: Resolve = { host, port, timeout in
    try await resolve(host, port: port, timeout: timeout)
  }

  /// ``resolve(_:port:timeout:)`` of the resolver that all share.
  package static func resolve(
    _ host: String, port: UInt16, timeout: Duration
  ) async throws(TransportError) -> [NetworkAddress] {
    switch shared {
    case .success(let resolver): return try await resolver.resolve(host, port: port, timeout: timeout)
    case .failure(let error):
      throw TransportError(.limitExceeded, "No event loop could be started: \(error)", cause: error)
    }
  }

  /// The addresses of `host`, a name or a literal. Those of name servers are in the order in which RFC 6724 prefers them,
  /// those of a file in its own.
  ///
  /// Throws ``TransportError``: `nameNotFound`, `connectTimeout` after `timeout`, `unreachable` when no name server
  /// answers, the latter two with ``Failure`` as cause; `cancelled`.
  package nonisolated func resolve(
    _ host: String, port: UInt16, timeout: Duration
  ) async throws(TransportError) -> [NetworkAddress] {
    if let literal = NetworkAddress(literal: host, port: port) { return [literal] }
    guard let name = HostName(host) else {
      throw TransportError(
        .nameNotFound,
        "'\(host)' cannot be a host's name. Check it, and write letters outside ASCII in the form that begins with xn--."
      )
    }
    do {
      return try await addresses(of: name, timeout).map { NetworkAddress(ip: $0.ip, port: port) }
    } catch let error as TransportError {
      throw error
    } catch {
      throw TransportError(.cancelled, "Looking up '\(host)' was cancelled.", cause: error)
    }
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

// MARK: - Sharing look-ups

extension NameResolver {
  private func addresses(of name: HostName, _ timeout: Duration) async throws -> [NetworkAddress] {
    let answer = OneShot<[NetworkAddress]>()
    let timer = LoopTimer(loop) {
      answer.answer(
        .failure(
          TransportError(
            .connectTimeout, "No name server gave the address of '\(name.text)' within \(timeout); check the network.",
            cause: Failure())))
    }
    timer.set(loop.now + timeout)
    join(name, answer)
    defer {
      timer.cancel()
      leave(name, answer)
    }
    return try await answer.value()
  }

  private func join(_ name: HostName, _ answer: OneShot<[NetworkAddress]>) {
    if lookups[name] == nil {
      started += 1
      lookups[name] = Lookup(number: started)
      queue.append(name)
    }
    lookups[name]?.waiting.append(answer)
    startNext()
  }

  private func leave(_ name: HostName, _ answer: OneShot<[NetworkAddress]>) {
    guard let index = lookups[name]?.waiting.firstIndex(where: { $0 === answer }) else { return }
    lookups[name]?.waiting.remove(at: index)
    guard let lookup = lookups[name], lookup.waiting.isEmpty else { return }
    lookups[name] = nil
    if let task = lookup.task { task.cancel() } else { queue.removeAll { $0 == name } }
  }

  private func startNext() {
    while running < Self.limit, !queue.isEmpty {
      let name = queue.removeFirst()
      guard let number = lookups[name]?.number else { continue }
      running += 1
      lookups[name]?.task = Task { await lookUp(name, number) }
    }
  }

  private func lookUp(_ name: HostName, _ number: Int) async {
    let result: Result<[NetworkAddress], any Error>
    do {
      result = .success(try await search.addresses(of: name, turn: number))
    } catch {
      result = .failure(error)
    }
    running -= 1
    // A later look-up of the same name may have taken the place of one that nobody waits for.
    if let lookup = lookups[name], lookup.number == number {
      lookups[name] = nil
      for waiter in lookup.waiting { waiter.answer(result) }
    }
    startNext()
  }
}
