import HTTP3Engine
import TestSupport
import Testing

/// A client that speaks QUIC in order and abuses HTTP/3: requests taken back, QPACK, endless fields, never reading.
@Suite struct StreamFloodTests {
  private static func attack(
    _ limits: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> (attack: RawAttack, streams: [StreamID]) {
    let attack = try RawAttack(
      on: QUICPair.make(clientLimits: { $0.isRaw = true }, server: limits), attacksServer: true)
    let streams = attack.beginHTTP()
    try attack.pair.run(for: .milliseconds(100))
    return (attack, streams)
  }

  private func code(_ attack: RawAttack) -> ApplicationErrorCode? {
    if case .application(let code) = attack.verdict?.code { code } else { nil }
  }

  /// Each reset makes room for another request: "rapid reset".
  @Test(arguments: [false, true])
  func requestsTakenBackAtOnceEndTheConnection(_ stopsInstead: Bool) throws {
    let (attack, _) = try Self.attack()
    for _ in 0..<100 where attack.verdict == nil {
      for _ in 0..<50 {
        guard let id = attack.request() else { break }
        attack.peer?.raw?.send(Wire.get("/hold"), on: id, isLast: stopsInstead)
        try attack.pair.run(for: .microseconds(10))
        stopsInstead
          ? attack.peer?.raw?.stop(id, code: .requestCancelled) : attack.peer?.raw?.reset(id, code: .requestCancelled)
        if !stopsInstead { attack.peer?.raw?.stop(id, code: .requestCancelled) }
      }
      try attack.pair.run(for: .milliseconds(50))
    }
    #expect(code(attack) == .excessiveLoad, "\(String(describing: attack.verdict))")
    #expect(attack.verdict?.side == .local)
    #expect((attack.server?.requests.count ?? 0) <= 2_000)
  }

  /// One that cancels now and then may continue for ever.
  @Test func fewRequestsTakenBackAreFine() throws {
    let (attack, _) = try Self.attack()
    for _ in 0..<1_500 {
      let id = try #require(attack.request())
      attack.peer?.raw?.send(Wire.get("/hold"), on: id)
      try attack.pair.run(for: .milliseconds(45))
      attack.peer?.raw?.reset(id, code: .requestCancelled)
      attack.peer?.raw?.stop(id, code: .requestCancelled)
    }
    #expect(attack.verdict == nil)
  }

  @Test func secondSettingsEndTheConnection() throws {
    let (attack, streams) = try Self.attack()
    attack.peer?.raw?.send(Wire.http(4, []), on: streams[0])
    try attack.pair.run(for: .seconds(1))
    #expect(code(attack) == .frameUnexpected)
  }

  /// The table takes what fits; nghttp3 accepts so many insertions that no request makes use of.
  @Test func endlessInsertionsEndTheConnection() throws {
    let (attack, streams) = try Self.attack()
    attack.peer?.raw?.send(Wire.prefixed(0x20, bits: 5, 4_096), on: streams[1])
    let insertion = Wire.prefixed(0x40, bits: 5, 4) + Array("name".utf8) + Wire.prefixed(0, bits: 7, 100)
    let entry = insertion + [UInt8](repeating: 0x61, count: 100)
    let chunk = Array([[UInt8]](repeating: entry, count: 500).joined())
    for _ in 0..<50 where attack.verdict == nil {
      attack.peer?.raw?.send(chunk, on: streams[1])
      try attack.pair.run(for: .milliseconds(200))
    }
    #expect(code(attack) == .qpackEncoderStreamError)
  }

  @Test(arguments: [4_096, 4_097])
  func aTableBeyondTheLimitEndsTheConnection(_ capacity: Int) throws {
    let (attack, streams) = try Self.attack()
    attack.peer?.raw?.send(Wire.prefixed(0x20, bits: 5, capacity), on: streams[1])
    try attack.pair.run(for: .seconds(1))
    #expect(code(attack) == (capacity > 4_096 ? .qpackEncoderStreamError : nil))
  }

  /// Requests whose fields wait for insertions that never come.
  @Test func moreBlockedRequestsThanAllowedEndTheConnection() throws {
    let (attack, streams) = try Self.attack { $0.connection.maximumRequests = 200 }
    attack.peer?.raw?.send(Wire.prefixed(0x20, bits: 5, 4_096), on: streams[1])
    for _ in 0..<101 {
      let id = try #require(attack.request())
      attack.peer?.raw?.send(Wire.http(1, [2, 0, 0x80]), on: id)
      try attack.pair.run(for: .milliseconds(20))
    }
    try attack.pair.run(for: .seconds(1))
    #expect(code(attack) == .qpackDecompressionFailed)
  }

  /// A section far over the limit, a little at a time: the stream ends as soon as the limit is passed.
  @Test func endlessFieldsAreCutAtTheLimit() throws {
    let (attack, _) = try Self.attack { $0.connection.maximumFieldSectionSize = 4_000 }
    let id = try #require(attack.request())
    let line = Wire.line("x-slow", String(repeating: "a", count: 100))
    let frame = Wire.http(1, [0, 0, 0xd1, 0xd7] + [[UInt8]](repeating: line, count: 200).joined())
    for start in stride(from: 0, to: frame.count, by: 50) where attack.server?.resets.isEmpty == true {
      attack.peer?.raw?.send(Array(frame[start..<min(start + 50, frame.count)]), on: id)
      try attack.pair.run(for: .seconds(1))
    }
    try attack.pair.run(for: .seconds(1))
    #expect(attack.server?.requests.isEmpty == true)
    #expect(attack.server?.resets.map(\.code) == [.application(.excessiveLoad)])
    #expect(attack.verdict == nil)
  }

  /// Requests that never get beyond their first bytes hold as many streams as are allowed and no more.
  @Test func unfinishedRequestsHoldAsManyStreamsAsAllowed() throws {
    let (attack, _) = try Self.attack { $0.connection.maximumRequests = 20 }
    var opened = 0
    while let id = attack.request() {
      opened += 1
      attack.peer?.raw?.send([1, 0x80, 1, 0, 0, 0, 0], on: id)
      try attack.pair.run(for: .milliseconds(20))
    }
    #expect(opened == 20)
    #expect((attack.victim?.openStreamCount ?? 0) <= 20)
  }

  /// 50 000 frames of one byte: the body is whole.
  @Test func tinyDataFramesAreABody() throws {
    let (attack, _) = try Self.attack()
    let id = try #require(attack.request())
    attack.peer?.raw?.send(Wire.get("/echo"), on: id)
    for _ in 0..<50 {
      attack.peer?.raw?.send((0..<1_000).flatMap { Wire.http(0, [UInt8(truncatingIfNeeded: $0)]) }, on: id)
      try attack.pair.run(for: .milliseconds(200))
    }
    attack.peer?.raw?.send([], on: id, isLast: true)
    try attack.pair.run(for: .seconds(1))
    #expect(attack.verdict == nil)
    #expect((attack.peer?.raw?.bytes(on: id).count ?? 0) > 50_000)
  }

  /// A client that asks for much and reads nothing.
  @Test func aPeerThatNeverReadsCostsOneBufferForEachStream() throws {
    let (attack, _) = try Self.attack { $0.connection.maximumRequests = 20 }
    attack.peer?.raw?.consumes = false
    var streams: [StreamID] = []
    while let id = attack.request() {
      attack.peer?.raw?.send(Wire.get("/bytes/100000000"), on: id, isLast: true)
      streams.append(id)
    }
    try attack.pair.run(for: .seconds(30))
    let most = ConnectionConfiguration().sendBufferTarget + 16_384
    let held = streams.map { attack.victim?.bufferedBytes(on: $0) ?? 0 }
    #expect(held.max() ?? 0 > 0)
    #expect(held.allSatisfy { $0 <= most }, "\(held)")
  }

  @Test func aResponseWithEndlessFieldsIsRefusedByTheClient() throws {
    let pair = try QUICPair.make(
      clientLimits: { $0.maximumFieldSectionSize = 4_000 }, server: { $0.connection.isRaw = true })
    let attack = try RawAttack(on: pair, attacksServer: false)
    _ = attack.beginHTTP()
    let id = try #require(attack.request())
    let line = Wire.line("x-long", String(repeating: "a", count: 100))
    attack.peer?.raw?.send(Wire.http(1, [0, 0, 0xd9] + [[UInt8]](repeating: line, count: 100).joined()), on: id)
    try pair.run(for: .seconds(1))
    #expect(attack.client?.answers[0].error?.code == .application(.excessiveLoad))
    #expect(attack.verdict == nil)
  }
}
