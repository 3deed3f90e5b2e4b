import HTTP3Engine
import TestSupport
import Testing

/// Requests with field lines that no message may have (RFC 9114 §§ 4.1.2, 4.2, 10.3).
@Suite struct RequestFieldTests {
  private static let forbidden: [[UInt8]] = [
    Wire.line("", "x"), Wire.line("x y", "z"), Wire.line("x\r\ny", "z"), Wire.line("x:y", "z"),
    Wire.line("X-Upper", "a"),
    Wire.line("x-split", "a\r\nhost: b"), Wire.line("x-nul", "a\0b"), Wire.line("x-return", "\r"),
  ]

  /// The fate of the request with these lines, of one after it, and of the connection.
  private static func outcome(
    _ request: [UInt8], in pieces: Int
  ) throws -> (requests: Int, codes: [UInt64], verdict: HTTP3Error?) {
    let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
    let id = try #require(attack.request())
    for start in stride(from: 0, to: request.count, by: pieces) {
      attack.peer?.raw?.send(
        Array(request[start..<min(start + pieces, request.count)]), on: id, isLast: start + pieces >= request.count)
      try attack.pair.run(for: .milliseconds(1))
    }
    try attack.pair.run(for: .seconds(1))
    let next = try #require(attack.request())
    attack.peer?.raw?.send(Wire.get("/bytes/10"), on: next, isLast: true)
    try attack.pair.run(for: .seconds(1))
    var codes: [UInt64] = []
    for case .resetStream(_, let code, _) in attack.peer?.raw?.endings ?? [] { codes.append(code) }
    return (attack.server?.requests.count ?? 0, codes, attack.verdict)
  }

  @Test(arguments: forbidden, [7, 1_000])
  func aForbiddenFieldMakesTheRequestMalformed(_ line: [UInt8], _ pieces: Int) throws {
    let (requests, codes, verdict) = try Self.outcome(Wire.get(then: line), in: pieces)
    #expect(requests == 1)
    #expect(codes == [ApplicationErrorCode.messageError.rawValue])
    #expect(verdict == nil)
  }

  @Test func whatServersMayTakeIsTaken() throws {
    let (requests, codes, verdict) = try Self.outcome(Wire.get(then: Wire.line("x-fine", "a\tb; c")), in: 7)
    #expect(requests == 2)
    #expect(codes.isEmpty)
    #expect(verdict == nil)
  }
}
