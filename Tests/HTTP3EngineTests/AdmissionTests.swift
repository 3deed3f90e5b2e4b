import HTTP3Engine
import TestSupport
import Testing

/// Which clients an endpoint takes, and what it counts against whom.
@Suite struct AdmissionTests {
  /// Admits so many, and notes what it is asked.
  private final class Door: ConnectionAdmission {
    var room: Int
    private(set) var unprovenAsked = 0
    private(set) var admitted: [ConnectionKey] = []
    private(set) var withdrawn: [ConnectionKey] = []

    init(room: Int) { self.room = room }

    func takesUnproven(from address: NetworkAddress) -> Bool {
      unprovenAsked += 1
      return room > 0
    }

    func admit(_ key: ConnectionKey, from address: NetworkAddress) -> Bool {
      guard room > 0 else { return false }
      room -= 1
      admitted.append(key)
      return true
    }

    func withdraw(_ key: ConnectionKey) { withdrawn.append(key) }
  }

  private static func pair(
    room: Int, _ change: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> (QUICPair, Door) {
    let pair = try QUICPair.make(server: change)
    let door = Door(room: room)
    pair.server.admission = door
    return (pair, door)
  }

  /// The first packets alone, whose addresses anybody can forge, are counted against nobody.
  @Test func anAddressThatIsNotProvenIsNotAdmitted() throws {
    let (pair, door) = try Self.pair(room: 5)
    var sent = 0
    pair.onClientDatagram = { _ in
      sent += 1
      return sent == 1
    }
    try pair.run(for: .milliseconds(30))
    #expect(door.unprovenAsked == 1)
    #expect(door.admitted.isEmpty)
    #expect(pair.server.connectionCount == 1)
  }

  /// An honest client pays a round trip, and takes nobody else's place.
  @Test func withoutRoomAClientHasToProveItsAddressFirst() throws {
    let (pair, door) = try Self.pair(room: 0)
    let client = RequestClient(on: pair)
    var connections = 0
    pair.onDatagram = { _, _ in connections = max(connections, pair.server.connectionCount) }
    try pair.run { client.closed != nil }
    #expect(client.closed?.code == .transport(.connectionRefused))
    #expect(door.unprovenAsked == 1)
    #expect(connections == 0)
  }

  /// Between the Retry and its answer room was made.
  @Test func aProvenAddressIsAdmittedBeforeAnythingIsKeptOfIt() throws {
    let (pair, door) = try Self.pair(room: 1) { $0.addressValidation = .always }
    let client = RequestClient(on: pair)
    try pair.run { client.handshake != nil }
    #expect(door.admitted == [ConnectionKey(rawValue: 0)])
    #expect(pair.server.newestConnection == door.admitted[0])
    #expect(door.withdrawn.isEmpty)
  }

  /// A token that was proven with a packet that cannot be opened makes no connection.
  @Test func anAdmissionOfWhichNothingComesIsTakenBack() throws {
    let (pair, door) = try Self.pair(room: 10) { $0.addressValidation = .always }
    var count = 0
    pair.onClientDatagram = { datagram in
      count += 1
      guard count == 2 else { return count == 1 }
      pair.injectToServer(datagram.dropLast(1) + [datagram[datagram.count - 1] ^ 1])
      return false
    }
    try pair.run(for: .milliseconds(60))
    #expect(door.admitted.count == 1)
    #expect(door.withdrawn == door.admitted)
    #expect(pair.server.connectionCount == 0)
  }

  // MARK: Closed connections

  @Test func aClosedConnectionKeepsNobodyOut() throws {
    let pair = try QUICPair.make(server: { $0.maximumConnections = 1 })
    let first = RequestClient(on: pair)
    try pair.run { first.handshake != nil }
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run(for: .milliseconds(25))
    try pair.replaceClient(QUICPair.clientConfiguration())
    let second = RequestClient(on: pair)
    try pair.run { second.handshake != nil || second.closed != nil }
    #expect(second.closed == nil)
    // The first one's stray packets were still answered for.
    #expect(pair.server.routeCount > 2)
  }

  /// A client that comes and goes as fast as it can leaves no more than the limit behind.
  @Test(.timeLimit(.minutes(10))) func soManyClosedConnectionsAreKeptAndNoMore() throws {
    let pair = try QUICPair.make()
    pair.timeLimit = Timestamp(nanoseconds: .max)
    var routes = 0
    for _ in 0..<(HTTP3ServerEndpoint.lingeringLimit + 50) {
      let client = RequestClient(on: pair)
      try pair.run { client.handshake != nil }
      pair.client.close(.noError, reason: "", at: pair.now)
      // Far less than three probe time-outs.
      try pair.run(for: .nanoseconds(1))
      routes = max(routes, pair.server.routeCount)
      try pair.replaceClient(QUICPair.clientConfiguration())
    }
    // Up to ten ids lead to each.
    #expect(routes <= (HTTP3ServerEndpoint.lingeringLimit + 2) * 10)
    let client = RequestClient(on: pair)
    client.send("GET", "/")
    try pair.run { client.handshake != nil }
  }

  /// Its peer acknowledges nothing of the reset: what waited for it is free all the same.
  @Test func aBodyThatIsGivenUpIsFreedAtOnce() throws {
    let pair = try QUICPair.make(clientLimits: { $0.streamWindow = 10_000 })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.consumes = false
    client.send("GET", "/bytes/400000")
    try pair.run(for: .milliseconds(300))
    let (connection, stream) = (try #require(pair.server.connection(server.keys[0])), try #require(client.streams[0]))
    #expect(connection.bufferedBytes(on: stream) > 300_000)
    #expect(!connection.hasCredit(on: stream))
    pair.onClientDatagram = { _ in false }
    connection.cancel(stream, code: .excessiveLoad)
    #expect(connection.bufferedBytes(on: stream) == 0)
    // What was in flight counts as lost, and is not sent again.
    try pair.run(for: .seconds(1))
    pair.onClientDatagram = { _ in true }
    client.send("GET", "/bytes/5")
    try pair.run { client.isDone }
    #expect(client.answers[0].error?.code == .application(.excessiveLoad))
    #expect(client.answers[1].isComplete)
  }

  // MARK: Streams

  /// From its first frame, and once, however it ends.
  @Test func theBeginAndTheEndOfEachRequestsStreamAreReported() throws {
    let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
    var reported: [String] = []
    let handle = attack.pair.onServer
    attack.pair.onServer = { key, event in
      handle(key, event)
      switch event {
      case .requestBegan(let id): reported.append("\(id) begins")
      case .streamClosed(let id): reported.append("\(id) ends")
      default: break
      }
    }
    _ = attack.beginHTTP()
    let (half, none) = (try #require(attack.request()), try #require(attack.request()))
    attack.peer?.raw?.send([1, 0x41], on: half)
    try attack.pair.run(for: .milliseconds(200))
    #expect(reported == ["0 begins"])
    // STOP_SENDING of a stream on which nothing was sent, and its end.
    attack.send(frames: Wire.quic(0x05, UInt64(none.rawValue), 0x10c))
    try attack.pair.run(for: .milliseconds(200))
    attack.victim?.cancel(half, code: .requestIncomplete)
    attack.peer?.raw?.reset(half, code: .requestCancelled)
    attack.peer?.raw?.reset(none, code: .requestCancelled)
    try attack.pair.run(for: .seconds(1))
    #expect(reported.prefix(2) == ["0 begins", "4 begins"])
    #expect(Set(reported.dropFirst(2)) == ["0 ends", "4 ends"] && reported.count == 4)
    #expect(attack.victim?.openStreamCount == 0)
  }
}
