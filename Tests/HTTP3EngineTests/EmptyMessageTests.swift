import TestSupport
import Testing

@testable import HTTP3Engine

/// Streams that end before a message has begun (RFC 9114 § 4.1): the stream fails, and the connection lasts.
@Suite struct EmptyMessageTests {
  /// Nothing, and a frame of a type that is ignored (RFC 9114 § 9).
  private static let contents: [[UInt8]] = [[], Wire.http(0x21, [1, 2, 3])]

  @Test(arguments: contents)
  func anEmptyRequestIsIncomplete(_ bytes: [UInt8]) throws {
    let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
    let id = try #require(attack.request())
    attack.peer?.raw?.send(bytes, on: id, isLast: true)
    try attack.pair.run(for: .seconds(1))
    let next = try #require(attack.request())
    attack.peer?.raw?.send(Wire.get("/bytes/10"), on: next, isLast: true)
    try attack.pair.run(for: .seconds(1))
    var codes: [UInt64] = []
    for case .resetStream(let stream, let code, _) in attack.peer?.raw?.endings ?? []
    where stream == UInt64(id.rawValue) {
      codes.append(code)
    }
    #expect(codes == [ApplicationErrorCode.requestIncomplete.rawValue])
    #expect(attack.server?.requests.count == 1)
    #expect(attack.verdict == nil)
  }

  @Test(arguments: contents)
  func anEmptyResponseFailsAlone(_ bytes: [UInt8]) throws {
    let attack = try RawAttack(on: QUICPair.make(server: { $0.connection.isRaw = true }), attacksServer: false)
    _ = attack.beginHTTP()
    let streams = try #require(attack.client?.streams.values.sorted())
    attack.peer?.raw?.send(bytes, on: streams[0], isLast: true)
    attack.peer?.raw?.send(Wire.http(1, [0, 0, 0xd9]), on: streams[1], isLast: true)
    try attack.pair.run(for: .seconds(1))
    #expect(attack.verdict == nil)
    #expect(attack.client?.answers.map(\.status) == [nil, "200"])
    #expect(attack.client?.isDone == true)
  }
}
