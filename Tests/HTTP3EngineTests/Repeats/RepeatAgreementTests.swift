import LinkModel
import TestSupport
import Testing

@testable import HTTP3Engine

/// The agreement: who asks, who confirms, and the outcome where one of them does not.
@Suite struct RepeatAgreementTests {
  private static let all = RepeatConfiguration(responses: .all, isAdaptive: false)

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func bothEndsHaveToWantThem(_ client: Bool, _ server: Bool) throws {
    let repeated = try RepeatedStream(client: client ? Self.all : nil, server: server ? Self.all : nil)
    try repeated.stream.tick(20, every: .milliseconds(20))
    try repeated.stream.settle()
    #expect(repeated.stream.isExact)
    #expect((repeated.server?.statistics.repeats.sent ?? 0 > 0) == (client && server))
    #expect(repeated.pair.client.mapping.http3?.peerAllowsRepeats == (client ? server : nil))
  }

  @Test func ownersSeeNoFieldOfIt() throws {
    let pair = try QUICPair.make(clientLimits: { $0.repeats = Self.all }, server: { $0.connection.repeats = Self.all })
    let server = EchoServer(on: pair)
    var heads: [[HeaderField]] = []
    var isReady = false
    pair.onClient = { event in
      switch event {
      case .handshakeCompleted: isReady = true
      case .headersReceived(_, let fields): heads.append(fields)
      default: break
      }
    }
    try pair.run { isReady }
    _ = try pair.client.sendRequest(
      [
        HeaderField(":method", "GET"), HeaderField(":scheme", "https"), HeaderField(":authority", "localhost"),
        HeaderField(":path", "/hold"),
      ], endStream: true)
    try pair.run { !heads.isEmpty }
    let names = (server.requests + heads).flatMap { $0.map(\.name) }
    #expect(!names.contains(RepeatTerms.fieldName) && names.contains("content-type"))
    let key = try #require(server.keys.first)
    let stream = try #require(pair.server.connection(key)?.mapping.requests?.stream(StreamID(0)))
    #expect(stream.repeatWish == RepeatTerms())
  }

  /// An intermediary that does not know of it hands the fields on.
  @Test func fieldsWithoutSettingsAgreeOnNothing() throws {
    let pair = try QUICPair.make(
      clientLimits: { $0.usesDatagrams = true }, server: { $0.connection.repeats = Self.all })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("GET", "/hold", fields: [RepeatTerms().field])
    try pair.run { client.answers[0].status == "200" }
    let connection = try #require(server.keys.first.flatMap { pair.server.connection($0) })
    let id = try #require(client.streams[0])
    for _ in 0..<10 {
      try connection.sendBody([1, 2, 3], on: id, endStream: false)
      try pair.run(for: .milliseconds(10))
    }
    #expect(connection.statistics.repeats.sent == 0 && client.answers[0].datagrams.isEmpty)
    #expect(connection.mapping.http3?.peerAllowsRepeats == false)
  }

  @Test func oneThatIsRequestedWithHEADOrPOSTHasNone() throws {
    let pair = try QUICPair.make(clientLimits: { $0.repeats = Self.all }, server: { $0.connection.repeats = Self.all })
    let server = EchoServer(on: pair)
    let client = RequestClient(on: pair)
    client.send("HEAD", "/hold")
    client.send("POST", "/echo", body: [1, 2, 3])
    try pair.run { client.answers[0].status == "200" && client.answers[1].isComplete }
    let streams = client.streams.values.compactMap { pair.client.mapping.requests?.stream($0) }
    #expect(!streams.isEmpty && streams.allSatisfy { $0.assembly == nil })
    let connection = try #require(server.keys.first.flatMap { pair.server.connection($0) })
    #expect(connection.statistics.repeats.sent == 0)
  }

  /// The server's word for it comes with the early request; what it takes is repeated from the first event on.
  @Test(arguments: [false, true])
  func anEarlyRequestAsksToo(_ isRefused: Bool) throws {
    let pair = try QUICPair.make(clientLimits: { $0.repeats = Self.all }, server: { $0.connection.repeats = Self.all })
    let server = EchoServer(on: pair)
    let first = RequestClient(on: pair)
    try pair.run { !first.tickets.isEmpty }
    pair.client.close(.noError, reason: "", at: pair.now)
    try pair.run(for: .seconds(2))
    if isRefused { pair.replaceServer(try QUICPair.serverConfiguration { $0.connection.repeats = Self.all }) }
    let ticket = first.tickets[0]
    try pair.replaceClient(
      QUICPair.clientConfiguration {
        $0.connection.repeats = Self.all
        $0.ticket = ticket
      })
    let client = RequestClient(on: pair)
    client.repeatsRefusedRequests = true
    client.send("GET", "/hold")
    try pair.run { client.answers[0].status == "200" }
    #expect(server.earlyRequests == (isRefused ? 0 : 1))
    let connection = try #require(pair.server.newestConnection.flatMap { pair.server.connection($0) })
    let id = try #require(client.streams[0])
    for _ in 0..<10 {
      try connection.sendBody([1, 2, 3], on: id, endStream: false)
      try pair.run(for: .milliseconds(20))
    }
    try pair.run(for: .milliseconds(100))
    #expect(client.answers[0].body.count == 30 && client.closed == nil)
    #expect(connection.statistics.repeats.sent > 5)
  }
}

@Suite struct SettingsAdditionTests {
  private static let setting: (id: UInt64, value: UInt64) = (RepeatTerms.setting, 1)

  @Test func aSettingIsAddedBehindTheOthers() {
    let added = SettingsAddition.adding(Self.setting, to: [0, 4, 5, 1, 0x50, 0, 7, 16, 0x07, 1, 4])
    #expect(added == [0, 4, 10, 1, 0x50, 0, 7, 16, 0x9b, 0x7c, 0x3e, 0x95, 1, 0x07, 1, 4])
    #expect(SettingsAddition.adding(Self.setting, to: [0, 4, 0]) == [0, 4, 5, 0x9b, 0x7c, 0x3e, 0x95, 1])
  }

  @Test(arguments: [[], [0], [0, 4], [0, 4, 2, 1], [1, 4, 0], [0, 5, 0], [0, 4, 0xff]] as [[UInt8]])
  func whatIsNoWholeFrameStays(_ beginning: [UInt8]) {
    #expect(SettingsAddition.adding(Self.setting, to: beginning) == nil)
  }

  @Test func bytesAreCountedAsTheLibrarysOnceAllAreSentAndAcknowledged() {
    let control = StreamID(3)
    let addition = SettingsAddition(Self.setting, on: control)
    let beginning: [UInt8] = [0, 4, 2, 7, 16]
    #expect(addition.next { beginning }?.count == 10)
    #expect(addition.didSend(4, on: control) == 0)
    let rest = addition.next { beginning }.map(Array.init)
    #expect(rest == [16] + VariableLengthInteger.bytes(of: RepeatTerms.setting) + [1])
    #expect(addition.didSend(6, on: control) == 5)
    #expect(addition.next { beginning } == nil)
    #expect(addition.didSend(5, on: control) == 5)
    #expect(addition.didSend(5, on: StreamID(7)) == 5)
    #expect(addition.didAcknowledge(4, on: control) == 0)
    #expect(addition.didAcknowledge(9, on: control) == 8)
    #expect(addition.didAcknowledge(2, on: control) == 2)
    #expect(addition.didAcknowledge(2, on: StreamID(7)) == 2)
  }
}

@Suite struct PeerRepeatSettingTests {
  private static let pair = VariableLengthInteger.bytes(of: RepeatTerms.setting)

  private static func read(_ bytes: [UInt8], by size: Int) -> (isAllowed: Bool?, breach: HTTP3Error?) {
    var setting = PeerRepeatSetting()
    var breach: HTTP3Error?
    for start in stride(from: 0, to: bytes.count, by: size) {
      Array(bytes[start..<min(start + size, bytes.count)]).withUnsafeBytes {
        breach = breach ?? setting.breach(in: $0)
      }
    }
    return (setting.isAllowed, breach)
  }

  @Test(arguments: [1, 2, 100])
  func itIsReadFromWholeAndCutFrames(_ size: Int) {
    #expect(Self.read([0, 4, 7, 7, 16] + Self.pair + [1, 0x07, 1, 4], by: size).isAllowed == true)
    #expect(Self.read([0, 4, 5] + Self.pair + [0], by: size).isAllowed == false)
    #expect(Self.read([0, 4, 2, 7, 16], by: size).isAllowed == false)
    #expect(Self.read([0, 4, 0], by: size).isAllowed == false)
    #expect(Self.read([0, 4, 7, 7, 16] + Self.pair, by: size).isAllowed == nil)
    #expect(Self.read([0, 4, 5] + Self.pair + [2], by: size).breach?.code == .application(.settingsError))
    #expect(
      Self.read([0, 4, 10] + Self.pair + [1] + Self.pair + [1], by: size).breach?.code == .application(.settingsError))
  }
}
