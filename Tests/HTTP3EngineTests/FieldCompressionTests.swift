import HTTP3Engine
import LinkModel
import TestSupport
import Testing

/// QPACK's dynamic table is not used for what we send: the library's encoder counts by the size that it allows itself, where
/// the peer counts by the size that it allows (RFC 9204 § 4.5.1.1), so that a browser could not read the 255th section.
@Suite struct FieldCompressionTests {
  /// A server's instructions to a client that allows a table of 64 KiB.
  @Test func aServerInsertsNothing() throws {
    let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
    let settings = Wire.http(4, [1] + Wire.varint(65_536) + [7] + Wire.varint(100))
    for bytes in [[0] + settings, [2], [3]] {
      attack.peer?.raw?.send(bytes, on: try #require(attack.open(isBidirectional: false)))
    }
    try attack.pair.run(for: .milliseconds(100))
    for _ in 0..<5 {
      attack.peer?.raw?.send(Wire.get("/bytes/10"), on: try #require(attack.request()), isLast: true)
      try attack.pair.run(for: .milliseconds(100))
    }
    #expect(attack.server?.requests.count == 5)
    let streams = [3, 7, 11].map { attack.peer?.raw?.bytes(on: StreamID($0)) ?? [] }
    #expect(streams.contains([2]), "\(streams)")
  }

  /// A client's instructions to a server that allows a table of 64 KiB.
  @Test func aClientInsertsNothing() throws {
    let attack = try RawAttack(on: QUICPair.make(server: { $0.connection.isRaw = true }), attacksServer: false)
    let settings = Wire.http(4, [1] + Wire.varint(65_536) + [7] + Wire.varint(100))
    for bytes in [[0] + settings, [2], [3]] {
      attack.peer?.raw?.send(bytes, on: try #require(attack.open(isBidirectional: false)))
    }
    try attack.pair.run(for: .milliseconds(100))
    for _ in 0..<5 { attack.client?.send("GET", "/", fields: [HeaderField("user-agent", "a name that comes again")]) }
    try attack.pair.run(for: .milliseconds(100))
    let streams = [2, 6, 10].map { attack.peer?.raw?.bytes(on: StreamID($0)) ?? [] }
    #expect(streams.contains([2]), "\(streams)")
  }
}
