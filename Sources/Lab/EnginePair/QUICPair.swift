package import HTTP3Engine
package import LinkModel

/// A client and a server engine joined by a link, in virtual time.
package final class QUICPair {
  package struct TimedOut: Error, CustomStringConvertible {
    package var seed: UInt64
    package var description: String { "Nothing ended within the limit of virtual time (seed \(seed))." }
  }

  package private(set) var client: HTTP3Connection
  package private(set) var server: HTTP3ServerEndpoint
  package private(set) var now = Timestamp(nanoseconds: 1_000_000_000)
  package var link: VirtualLink
  package var translator = AddressTranslator()
  /// Called for each event, in order; they may give orders to the engines.
  package var onClient: (HTTP3Event) -> Void = { _ in }
  package var onServer: (ConnectionKey, HTTP3Event) -> Void = { _, _ in }
  /// Called with each connection of the server's before it writes anything.
  package var onConnection: (HTTP3Connection) -> Void = { _ in }

  /// The addresses of clients that others have replaced.
  private var replaced: Set<NetworkAddress> = []
  private let seed: UInt64
  private var batch = DatagramBatch()
  /// The client's first path.
  package private(set) var clientPath = NetworkPath(
    local: NetworkAddress(ip: .v4(0x0a00_0001), port: 40_000),
    remote: NetworkAddress(ip: .v4(0x0a00_0002), port: 443))
  /// Called with each datagram that the client writes; false keeps it off the link.
  package var onClientDatagram: ([UInt8]) -> Bool = { _ in true }
  /// 120 s after the start, unless it is changed.
  package var timeLimit = Timestamp(nanoseconds: 121_000_000_000)

  package init(
    seed: UInt64 = 1, conditions: LinkConditions = VirtualLink.plain,
    client clientConfiguration: ClientConfiguration, server serverConfiguration: ServerConfiguration
  ) throws {
    self.seed = seed
    link = try VirtualLink(conditions, seed: seed)
    client = try HTTP3Connection.client(
      clientConfiguration, path: clientPath, at: now,
      random: RandomSource(SeededGenerator(seed: seed ^ 0xc11e)))
    server = HTTP3ServerEndpoint(
      serverConfiguration, random: RandomSource(SeededGenerator(seed: seed ^ 0x5e17)))
  }

  deinit {
    batch.deallocate()
  }

  /// Puts another endpoint in the server's place, as after a restart that lost all state.
  ///
  /// - Parameter common: what is not lost, as where the endpoint is another loop's of the same server.
  package func replaceServer(_ configuration: ServerConfiguration, common: CommonSecrets? = nil) {
    server = HTTP3ServerEndpoint(
      configuration, random: RandomSource(SeededGenerator(seed: seed ^ 0x5e18)), common: common)
  }

  /// Puts another client in the client's place, on the next port; the old one's user starts again.
  package func replaceClient(_ configuration: ClientConfiguration) throws {
    replaced.insert(clientPath.local)
    if let path = client.currentPath { replaced.insert(path.local) }
    clientPath.local.port += 1
    client = try HTTP3Connection.client(
      configuration, path: clientPath, at: now,
      random: RandomSource(SeededGenerator(seed: seed ^ UInt64(clientPath.local.port) << 20)))
  }

  /// Runs until `isDone`; throws ``TimedOut`` when ``timeLimit`` comes first or nothing is left to happen.
  package func run(until isDone: () -> Bool) throws {
    settle()
    while !isDone() {
      guard let next = nextTime, next <= timeLimit else { throw TimedOut(seed: seed) }
      now = max(now, next)
      deliver()
      client.handleTimeout(at: now)
      server.handleTimeout(at: now)
      settle()
    }
  }

  /// Runs for a span of virtual time.
  package func run(for span: Duration) throws {
    let end = now + span
    settle()
    while let next = nextTime, next <= end {
      now = max(now, next)
      deliver()
      client.handleTimeout(at: now)
      server.handleTimeout(at: now)
      settle()
    }
    now = end
  }

  /// Called with each datagram that continues the link.
  package var onDatagram: ([UInt8], LinkDirection) -> Void = { _, _ in }

  /// Puts bytes on the wire that no engine wrote.
  package func inject(_ bytes: [UInt8], _ direction: LinkDirection) {
    link.send(bytes, direction, path: direction == .toServer ? serverPath : clientPath, ecn: .notECT, at: now)
  }

  /// Puts bytes on the wire to the server that no engine wrote.
  package func injectToServer(_ bytes: [UInt8], fromPort port: UInt16? = nil) {
    var path = serverPath
    if let port { path.remote.port = port }
    link.send(bytes, .toServer, path: path, ecn: .notECT, at: now)
  }

  /// The same to the client.
  package func injectToClient(_ bytes: [UInt8]) {
    link.send(bytes, .toClient, path: clientPath, ecn: .notECT, at: now)
  }

  private var serverPath: NetworkPath {
    NetworkPath(local: clientPath.remote, remote: clientPath.local)
  }

  /// Whether nothing will happen any more by itself.
  package var isIdle: Bool { nextTime == nil }

  private var nextTime: Timestamp? {
    [link.nextArrival, client.deadline, server.deadline].compactMap { $0 }.min()
  }

  private func deliver() {
    while let arrival = link.receive(at: now) {
      arrival.bytes.withUnsafeBytes { bytes in
        switch arrival.direction {
        case .toServer:
          let newest = server.newestConnection
          server.receive(bytes, on: arrival.path, ecn: arrival.ecn, at: now)
          if let key = server.newestConnection, key != newest, let connection = server.connection(key) {
            onConnection(connection)
          }
        case .toClient:
          let seen = NetworkPath(local: arrival.path.remote, remote: arrival.path.local)
          // What comes for a client that was replaced finds nobody.
          guard let path = translator.clientPath(of: seen), !replaced.contains(path.local) else { return }
          client.receive(bytes, on: path, ecn: arrival.ecn, at: now)
        }
      }
    }
  }

  /// Write passes and events until both ends are quiet.
  private func settle() {
    var isBusy = true
    while isBusy {
      isBusy = false
      while client.fill(&batch, at: now) { transmit(.toServer, path: translator.serverPath(of: batch.path)) }
      while server.fill(&batch, at: now) {
        transmit(.toClient, path: NetworkPath(local: batch.path.remote, remote: batch.path.local))
      }
      while let event = client.nextEvent() {
        isBusy = true
        onClient(event)
      }
      while let (key, event) = server.nextEvent() {
        isBusy = true
        onServer(key, event)
      }
    }
  }

  /// - Parameter path: the server's view, both ways; nil when the datagrams are lost at once.
  private func transmit(_ direction: LinkDirection, path: NetworkPath?) {
    guard let path else { return }
    for index in 0..<batch.segmentCount {
      if direction == .toServer, !onClientDatagram(Array(batch.segment(at: index))) { continue }
      onDatagram(Array(batch.segment(at: index)), direction)
      link.send(Array(batch.segment(at: index)), direction, path: path, ecn: batch.ecn, at: now)
    }
  }
}
