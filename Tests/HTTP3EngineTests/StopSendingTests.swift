import Foundation
import HTTP3Engine
import TestSupport
import Testing

/// A server that answers before it has the request's body, and wants no more of it (RFC 9114 § 4.1).
@Suite struct StopSendingTests {
  private enum Sign: CaseIterable {
    case head
    case body
    case end
  }

  /// A client whose request's body fills the windows of a server that takes nothing of it.
  private final class Upload {
    let attack: RawAttack
    let client: RequestClient
    /// The server's streams: control, and both of QPACK.
    let streams: [StreamID]
    let index: Int
    let id: StreamID
    private(set) var stopped: [StreamID] = []

    init() throws {
      attack = try RawAttack(on: QUICPair.make(server: { $0.connection.isRaw = true }), attacksServer: false)
      client = try #require(attack.client)
      streams = attack.beginHTTP()
      attack.peer?.raw?.consumes = false
      index = client.send("POST", "/", body: [UInt8](repeating: 7, count: 4 << 20))
      try attack.pair.run(for: .seconds(1))
      id = try #require(client.streams[index])
      let handle = attack.pair.onClient
      attack.pair.onClient = { [unowned self] event in
        if case .stopSendingReceived(let id, _) = event { stopped.append(id) }
        handle(event)
      }
    }
  }

  private static let head = Wire.http(1, [0, 0, 0xd9])

  /// The library tells nothing of a STOP_SENDING but to those who offer it more, and what waits for flow control is not
  /// offered: what comes of the response is a reason to look.
  @Test(arguments: Sign.allCases)
  private func itIsNoticedWhileTheBodyWaitsForFlowControl(_ sign: Sign) throws {
    let upload = try Upload()
    let (attack, client, index, id) = (upload.attack, upload.client, upload.index, upload.id)
    let sent = attack.pair.client.statistics.bytesSent
    try attack.pair.run(for: .seconds(1))
    #expect(attack.pair.client.statistics.bytesSent - sent < 2_000, "the window is not full")
    if sign != .head { attack.peer?.raw?.send(Self.head, on: id) }
    try attack.pair.run(for: .milliseconds(100))
    attack.peer?.raw?.stop(id, code: .noError)
    try attack.pair.run(for: .milliseconds(100))
    switch sign {
    case .head: attack.peer?.raw?.send(Self.head, on: id)
    case .body: attack.peer?.raw?.send(Wire.http(0, [1, 2, 3]), on: id)
    case .end: attack.peer?.raw?.send([], on: id, isLast: true)
    }
    try attack.pair.run(for: .milliseconds(100))
    #expect(upload.stopped == [id])
    #expect(client.answers[index].status == "200")
    #expect(client.answers[index].error == nil)
    #expect(attack.verdict == nil)
  }

  /// A field section that names an entry of the QPACK table which has yet to come; with a status before it.
  private static let waiting: [UInt8] = [2, 0, 0xd9, 0x80]

  /// The entry: a table of 4 096 bytes, and `x: y` in it.
  private static var insertion: [UInt8] {
    Wire.prefixed(0x20, bits: 5, 4_096) + Wire.prefixed(0x40, bits: 5, 1) + [0x78] + Wire.prefixed(0, bits: 7, 1) + [
      0x79
    ]
  }

  /// nghttp3 (1.8) keeps a stream that QUIC has closed until its fields can be read, and frees it in the same call:
  /// whatever puts it among those that have something to send lets it be used afterwards.
  @Test(.timeLimit(.minutes(10))) func aResponseThatWaitsForQPACKBehindItsStreamsEnd() async {
    await #expect(processExitsWith: .success) {
      // A stream that was freed may be asked for its bytes without end.
      alarm(300)
      let upload = try Upload()
      let (attack, client, index, id) = (upload.attack, upload.client, upload.index, upload.id)
      attack.peer?.raw?.send(Wire.http(1, Self.waiting), on: id, isLast: true)
      attack.peer?.raw?.stop(id, code: .noError)
      try attack.pair.run(for: .milliseconds(300))
      try #require(client.answers[index].status == nil)
      attack.peer?.raw?.send(Self.insertion, on: upload.streams[1])
      try attack.pair.run(for: .milliseconds(300))
      try #require(client.answers[index].status == "200")
      try #require(client.answers[index].isComplete)
      try #require(upload.stopped == [id])
      try #require(attack.verdict == nil)
    }
  }

  /// The same of a request, whose response waits for flow control; what the client says of its priority comes between.
  @Test(.timeLimit(.minutes(10)), arguments: [false, true])
  func aRequestThatWaitsForQPACKBehindItsStreamsEnd(_ hasPriority: Bool) async {
    await #expect(processExitsWith: .success) { [hasPriority] in
      alarm(300)
      let attack = try RawAttack(on: QUICPair.make(clientLimits: { $0.isRaw = true }), attacksServer: true)
      let streams = attack.beginHTTP()
      attack.peer?.raw?.consumes = false
      let id = try #require(attack.request())
      let lines = hasPriority ? Wire.line("priority", "u=5") : []
      attack.peer?.raw?.send(Wire.get("/bytes/100000000", then: lines), on: id)
      try attack.pair.run(for: .seconds(1))
      attack.peer?.raw?.send(Wire.http(1, [2, 0, 0x80]), on: id, isLast: true)
      attack.peer?.raw?.stop(id, code: .noError)
      try attack.pair.run(for: .milliseconds(300))
      attack.peer?.raw?.send(Wire.http(0xf0700, Wire.varint(UInt64(id.rawValue)) + Array("u=0".utf8)), on: streams[0])
      try attack.pair.run(for: .microseconds(1))
      attack.peer?.raw?.send(Self.insertion, on: streams[1])
      try attack.pair.run(for: .milliseconds(300))
      try #require(attack.verdict == nil)
      let next = try #require(attack.request())
      attack.peer?.raw?.consumes = true
      attack.peer?.raw?.send(Wire.get("/bytes/5"), on: next, isLast: true)
      try attack.pair.run(for: .seconds(1))
      try #require(attack.peer?.raw?.bytes(on: next).isEmpty == false)
      try #require(attack.verdict == nil)
    }
  }
}
