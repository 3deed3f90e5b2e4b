import HTTP3Engine
import TestSupport
import Testing

/// DATAGRAM frames with nothing in them (RFC 9221 § 4), on whose like other versions of the library abort.
@Suite struct EmptyDatagramTests {
  /// The type with a length, which is 0.
  private static let empty: [UInt8] = [0x31, 0]

  private static func attack(onServer: Bool, usesDatagrams: Bool) throws -> RawAttack {
    let pair = try QUICPair.make(
      clientLimits: {
        $0.isRaw = onServer
        $0.usesDatagrams = usesDatagrams
      },
      server: {
        $0.connection.isRaw = !onServer
        $0.connection.usesDatagrams = usesDatagrams
      })
    return try RawAttack(on: pair, attacksServer: onServer)
  }

  /// Too short for a stream's id: an error of the connection (RFC 9297 § 2.1), and others are served.
  @Test(arguments: [true, false])
  func whereDatagramsAreTakenItNamesNoStream(_ isServers: Bool) throws {
    let attack = try Self.attack(onServer: isServers, usesDatagrams: true)
    attack.send(frames: Self.empty)
    try attack.pair.run(for: .seconds(1))
    #expect(attack.verdict?.code == .application(.datagramError), "\(String(describing: attack.verdict))")
    guard isServers else { return }
    try attack.pair.replaceClient(QUICPair.clientConfiguration())
    let client = RequestClient(on: attack.pair)
    let server = EchoServer(on: attack.pair)
    client.send("GET", "/bytes/100")
    try attack.pair.run { client.isDone }
    #expect(client.answers[0].body == EchoServer.pattern(100))
    #expect(server.requests.count == 1)
  }

  /// RFC 9221 § 3: PROTOCOL_VIOLATION, also where there is nothing in it.
  @Test(arguments: [true, false], [[0x31, 0], [0x31, 1, 0], [0x30]] as [[UInt8]])
  func whereTheyAreNotItIsAViolation(_ isServers: Bool, _ frame: [UInt8]) throws {
    let attack = try Self.attack(onServer: isServers, usesDatagrams: false)
    attack.send(frames: frame)
    try attack.pair.run(for: .seconds(1))
    #expect(
      attack.verdict?.code == .transport(QUICErrorCode(rawValue: 10)), "\(String(describing: attack.verdict))")
  }
}
