import TestSupport
import Testing

@testable import HTTP3Engine

/// A server that lies in repeats, and a client that holds it to its word.
@Suite struct HostileRepeatTests {
  /// A client that asks, and a server that has agreed in its SETTINGS.
  private struct Attack {
    let attack: RawAttack
    let client: RequestClient
    let get: StreamID

    init(settings: [UInt8] = VariableLengthInteger.bytes(of: RepeatTerms.setting) + [1]) throws {
      let pair = try QUICPair.make(
        clientLimits: { $0.repeats = RepeatConfiguration(responses: .all) },
        server: {
          $0.connection.isRaw = true
          $0.connection.usesDatagrams = true
        })
      attack = try RawAttack(on: pair, attacksServer: false)
      client = try #require(attack.client)
      get = try #require(client.streams[0])
      let control = try #require(attack.open(isBidirectional: false))
      attack.peer?.raw?.send([0, 4, UInt8(settings.count + 2), 0x33, 1] + settings, on: control)
      try attack.pair.run(for: .milliseconds(100))
    }

    /// A head with status 200, and the field where it confirms.
    func sendHead(confirms: Bool = true, status: UInt8 = 0xd9, on id: StreamID? = nil) throws {
      let field: [UInt8] = [0x27, 0x08] + Array(RepeatTerms.fieldName.utf8) + [2] + Array("?1".utf8)
      let section = [0, 0, status] + (confirms ? field : [])
      attack.peer?.raw?.send([1, UInt8(section.count)] + section, on: id ?? get)
      try attack.pair.run(for: .milliseconds(100))
    }

    func sendData(_ bytes: [UInt8], isLast: Bool = false) throws {
      attack.peer?.raw?.send([0, UInt8(bytes.count)] + bytes, on: get, isLast: isLast)
      try attack.pair.run(for: .milliseconds(100))
    }

    func sendRepeat(_ payload: [UInt8], on id: StreamID? = nil) throws {
      let quarter = UInt8((id ?? get).rawValue / 4)
      attack.send(frames: [0x31, UInt8(payload.count + 1), quarter] + payload)
      try attack.pair.run(for: .milliseconds(100))
    }

    var answer: RequestClient.Answer { client.answers[0] }
    var verdict: HTTP3Error? { attack.verdict }
  }

  @Test func trueRepeatsAreHandedOnAndKeptToTheirWord() throws {
    let attack = try Attack()
    try attack.sendHead()
    try attack.sendRepeat([0, 1, 2, 3])
    #expect(attack.answer.body == [1, 2, 3])
    try attack.sendData([1, 2, 3, 4], isLast: true)
    #expect(attack.answer.body == [1, 2, 3, 4] && attack.answer.isComplete && attack.verdict == nil)
    // Late ones are dropped, even false ones.
    try attack.sendRepeat([0, 9])
    #expect(attack.verdict == nil)
  }

  @Test func repeatsBeforeTheHeadWaitForIt() throws {
    let attack = try Attack()
    try attack.sendRepeat([0, 1, 2, 3])
    #expect(attack.answer.body.isEmpty && attack.verdict == nil)
    try attack.sendHead()
    #expect(attack.answer.status == "200" && attack.answer.body == [1, 2, 3])
  }

  @Test func aDifferenceEndsTheConnection() throws {
    let stream = try Attack()
    try stream.sendHead()
    try stream.sendRepeat([0, 1, 2, 3])
    try stream.sendData([1, 2, 4])
    #expect(stream.verdict?.code == .application(.datagramError))
    let other = try Attack()
    try other.sendHead()
    try other.sendRepeat([5, 1, 2, 3])
    try other.sendRepeat([4, 1, 2, 3])
    #expect(other.verdict?.code == .application(.datagramError))
  }

  @Test(arguments: [[0, 1, 2, 3, 4], [10, 1]] as [[UInt8]])
  func aRepeatBeyondTheEndEndsTheConnection(_ payload: [UInt8]) throws {
    let attack = try Attack()
    try attack.sendHead()
    try attack.sendRepeat(payload)
    try attack.sendData([1, 2, 3], isLast: true)
    #expect(attack.verdict?.code == .application(.datagramError))
    #expect(!attack.answer.isComplete)
  }

  @Test(
    arguments: [[], [3], [0x40], [0x80, 0, 0, 0], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]] as [[UInt8]])
  func aMalformedOneEndsTheConnection(_ payload: [UInt8]) throws {
    let attack = try Attack()
    try attack.sendHead()
    try attack.sendRepeat(payload)
    #expect(attack.verdict?.code == .application(.datagramError))
  }

  @Test func whatTheHeadDoesNotConfirmEndsTheResponse() throws {
    let attack = try Attack()
    try attack.sendRepeat([0, 1, 2, 3])
    try attack.sendHead(confirms: false)
    #expect(attack.answer.error?.code == .application(.datagramError) && attack.answer.body.isEmpty)
    #expect(attack.verdict == nil)
  }

  /// 304 has no content (static table entry 26, RFC 9204 § A), whatever it confirms.
  @Test func aResponseWithoutContentHasNoRepeats() throws {
    let attack = try Attack()
    try attack.sendRepeat([0, 1, 2, 3])
    try attack.sendHead(status: 0xda)
    #expect(attack.answer.error?.code == .application(.datagramError) && attack.answer.body.isEmpty)
  }

  /// They are the owner's to judge, as those of any request that agreed on nothing.
  @Test func withoutAgreementADatagramIsTheOwners() throws {
    let unconfirmed = try Attack()
    try unconfirmed.sendHead(confirms: false)
    try unconfirmed.sendRepeat([0, 1])
    #expect(unconfirmed.answer.datagrams == [[0, 1]])
    let disallowed = try Attack(settings: [])
    try disallowed.sendHead()
    try disallowed.sendRepeat([0, 1])
    #expect(disallowed.answer.datagrams == [[0, 1]] && disallowed.answer.body.isEmpty)
    let post = try Attack()
    let id = try #require(post.client.streams[1])
    try post.sendHead(on: id)
    try post.sendRepeat([0, 1], on: id)
    #expect(post.client.answers[1].datagrams == [[0, 1]])
  }

  @Test(arguments: [[2], [0x40, 1]] as [[UInt8]])
  func aSettingThatThereIsNotEndsTheConnection(_ value: [UInt8]) throws {
    let id = VariableLengthInteger.bytes(of: RepeatTerms.setting)
    let attack = try Attack(settings: id + value + (value.count == 2 ? id + [1] : []))
    #expect(attack.verdict?.code == .application(.settingsError))
  }

  /// A client's memory of responses that nobody reads does not grow by repeats, and no credit is given twice.
  @Test func repeatsDoNotWidenTheWindow() throws {
    let window = 4_096
    let pair = try QUICPair.make(
      clientLimits: {
        $0.repeats = RepeatConfiguration(responses: .all, hedge: .milliseconds(5))
        $0.streamWindow = UInt64(window)
      },
      server: { $0.connection.repeats = RepeatConfiguration(responses: .all, isAdaptive: false) })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.consumes = false
    client.send("GET", "/hold")
    try pair.run { client.answers[0].status == "200" }
    let connection = try #require(server.keys.first.flatMap { pair.server.connection($0) })
    let id = try #require(client.streams[0])
    let content = EchoServer.pattern(8_000)
    for start in stride(from: 0, to: content.count, by: 50) {
      try connection.sendBody(Array(content[start..<start + 50]), on: id, endStream: start + 50 == content.count)
      try pair.run(for: .milliseconds(5))
    }
    try pair.run(for: .seconds(1))
    let unread = client.answers[0].body.count
    #expect(unread <= window && unread > window - 400)
    // Read in small steps, it continues to the end.
    client.consumes = true
    pair.client.consume(unread, on: id)
    try pair.run { client.isDone }
    #expect(client.answers[0].body == content && client.answers[0].isComplete)
  }
}
