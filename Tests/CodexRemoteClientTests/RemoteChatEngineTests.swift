import HTTPTypes
import Logging
import ResolveKitCore
import StreamTransport
import Synchronization
import TestSupport
import Testing

@testable import CodexRemoteClient

/// A chat against a scripted companion, in virtual time.
@Suite(.timeLimit(.minutes(5))) struct RemoteChatEngineTests {
  private static let host = RemoteHost(
    origin: Origin(scheme: .https, host: "script.test", port: 443), fingerprint: nil, deviceID: "d",
    credential: RemoteCredential(token: "one"))

  /// A companion's conduct at each opening of the stream; the last holds for all that follow.
  private struct Companion: Sendable {
    var streams: [[ScriptedTransport.Step]]
    var refuses: @Sendable (_ path: String, _ token: String, _ number: Int) -> Int? = { _, _, _ in nil }
    var timelines: [String] = [Frames.timeline(cursor: 0)]
  }

  private struct Script: Sendable {
    let transport: ScriptedTransport
    let chat: RemoteChatEngine
    let updates: RemoteUpdates

    /// The paths that were asked for, and with which cursor.
    var paths: [String] { transport.requests.compactMap(\.request.path) }
    func bodies(_ name: String) -> [String] {
      transport.requests.filter { $0.request.path?.hasSuffix(name) ?? false && !$0.body.isEmpty }.map {
        String(decoding: $0.body, as: UTF8.self)
      }
    }
  }

  private static func event(_ id: Int?, _ frame: String) -> [UInt8] {
    Array(((id.map { "id: \($0)\n" } ?? "") + "event: x\ndata: \(frame)\n\n").utf8)
  }

  private func script(_ companion: Companion, host: RemoteHost = host, now: Int = 0) -> Script {
    let counts = Mutex((streams: 0, timelines: 0, all: 0))
    let transport = ScriptedTransport { received in
      let path = received.request.path ?? ""
      let token = received.request.headerFields[.authorization] ?? ""
      let number = counts.withLock { counts in
        counts.all += 1
        return counts.all
      }
      if let status = companion.refuses(path, token, number) {
        return .response(
          HTTPResponse(status: .init(code: status)), [.bytes(Array(#"{"error":"refused by the script"}"#.utf8)), .end])
      }
      func json(_ text: String) -> ScriptedTransport.Answer {
        .response(
          HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), [.bytes(Array(text.utf8)), .end])
      }
      if path.hasPrefix("/v1/stream") {
        let index = counts.withLock { counts in
          defer { counts.streams += 1 }
          return counts.streams
        }
        return .response(
          HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]),
          companion.streams[min(index, companion.streams.count - 1)])
      }
      if path.contains("/timeline") {
        let index = counts.withLock { counts in
          defer { counts.timelines += 1 }
          return counts.timelines
        }
        return json(companion.timelines[min(index, companion.timelines.count - 1)])
      }
      if path.contains("/pairing/renew") {
        return json(#"{"token":"two","renewalToken":"next","expiresAt":9e12,"deviceId":"d"}"#)
      }
      if path.contains("/messages") { return json(#"{"data":{"chatId":"c","turnId":"t1","mode":"started"}}"#) }
      return json(#"{"ok":true,"data":{"chatId":"c","status":"resumed"}}"#)
    }
    let client = RemoteClient(
      host: host, store: nil, transport: transport, clock: TransportClock(InstantClock()), now: { now },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let chat = RemoteChatEngine(client, chatID: "c", generator: SeededGenerator(seed: 5))
    return Script(transport: transport, chat: chat, updates: chat.hub.updates())
  }

  /// The updates up to the first that is meant.
  private func updates(
    of script: Script, until isMeant: @Sendable (RemoteUpdate) -> Bool
  ) async -> [RemoteUpdate] {
    var all: [RemoteUpdate] = []
    for await update in script.updates {
      all.append(update)
      if isMeant(update) { break }
    }
    return all
  }

  private static func texts(_ updates: [RemoteUpdate]) -> [String] {
    updates.compactMap { (update: RemoteUpdate) -> String? in
      if case .text(_, let text) = update { return text }
      return nil
    }
  }

  private static let turn = [
    Frames.turnStarted("t1"), Frames.delta("t1", "m", "Good "), Frames.delta("t1", "m", "morning é"),
    Frames.message("t1", "m", "Good morning é"), Frames.turnCompleted("t1"),
  ]

  private static func bytes(_ frames: [String], from first: Int = 1) -> [UInt8] {
    frames.enumerated().flatMap { event(first + $0.offset, $0.element) }
  }

  private static func steps(_ frames: [String], from first: Int = 1) -> [ScriptedTransport.Step] {
    frames.isEmpty ? [] : [.bytes(bytes(frames, from: first))]
  }

  @Test(arguments: [Int.max, 2, 1]) func aTurnIsReportedHoweverItsBytesAreCut(_ parts: Int) async {
    let whole = Self.bytes(Self.turn)
    let size = parts == .max ? whole.count : parts == 2 ? whole.count / 2 + 1 : 1
    let steps = stride(from: 0, to: whole.count, by: size).map {
      ScriptedTransport.Step.bytes(Array(whole[$0..<min($0 + size, whole.count)]))
    }
    let script = script(Companion(streams: [steps]))
    await script.chat.open()
    let reported = await updates(of: script) { if case .turnEnded = $0 { true } else { false } }
    #expect(Self.texts(reported) == ["Good ", "morning é"])
    let state = await script.chat.state
    #expect(state.entries.map(\.content) == [.message(role: .assistant, text: "Good morning é")])
    await script.chat.close()
  }

  @Test func aStreamThatIsCutAnywhereContinuesAtItsCursor() async {
    for cut in 0...Self.turn.count {
      let lost = TransportError(.connectionLost, "cut")
      // The companion sends what is after the cursor; a proxy sends everything again.
      for again in [cut, 0] {
        let script = script(
          Companion(streams: [
            Self.steps(Array(Self.turn[..<cut])) + [.cut(lost)],
            Self.steps(Array(Self.turn[again...]), from: again + 1),
          ]))
        await script.chat.open()
        var reported: [RemoteUpdate] = []
        if cut < Self.turn.count {
          reported = await updates(of: script) { if case .turnEnded = $0 { true } else { false } }
        } else {
          reported = await updates(of: script) { if case .link(.waiting) = $0 { true } else { false } }
        }
        #expect(reported.count { if case .turnEnded = $0 { true } else { false } } == 1)
        #expect(reported.count { if case .turnStarted = $0 { true } else { false } } == 1)
        #expect(Self.texts(reported).joined() == "Good morning é")
        if cut < Self.turn.count {
          let cursors = script.paths.filter { $0.hasPrefix("/v1/stream") }
          #expect(cursors == ["/v1/stream?chatId=c&cursor=0", "/v1/stream?chatId=c&cursor=\(cut)"], "cut at \(cut)")
        }
        await script.chat.close()
      }
    }
  }

  @Test func aTokenThatIsRefusedIsRenewedOnce() async {
    var host = Self.host
    host.credential = RemoteCredential(token: "one", renewalToken: "r", expiresAt: 10_000_000)
    let script = script(
      Companion(
        streams: [[.bytes(Self.bytes(Self.turn))]],
        refuses: { path, token, _ in path.contains("renew") || token == "Bearer two" ? nil : 401 }), host: host)
    await script.chat.open()
    _ = await updates(of: script) { if case .turnEnded = $0 { true } else { false } }
    #expect(script.paths.count { $0.contains("renew") } == 1)
    await script.chat.close()
  }

  @Test func aRevokedDeviceLearnsOfIt() async {
    let script = script(Companion(streams: [[]], refuses: { _, _, _ in 401 }))
    await script.chat.open()
    let reported = await updates(of: script) { if case .link(.closed) = $0 { true } else { false } }
    guard case .link(.closed(let code, let reason))? = reported.last else { return }
    #expect(code == .unauthorized)
    #expect(reason.contains("pair it again"))
    await script.chat.close()
  }

  @Test func aCursorThatIsNoLongerKeptHasTheHistoryReadAgain() async {
    let script = script(
      Companion(
        streams: [[.bytes(Self.bytes(Self.turn, from: 8))]],
        refuses: { path, _, _ in path.hasPrefix("/v1/stream") && path.hasSuffix("cursor=0") ? 410 : nil },
        timelines: [Frames.timeline(cursor: 0), Frames.timeline(cursor: 7)]))
    await script.chat.open()
    let reported = await updates(of: script) { if case .turnEnded = $0 { true } else { false } }
    #expect(reported.count { if case .loaded = $0 { true } else { false } } == 2)
    await script.chat.close()
  }

  @Test func aMessageWhoseAnswerIsLostIsSentAgainUnderOneId() async {
    let counts = Mutex(0)
    let script = script(
      Companion(
        streams: [[]],
        refuses: { path, _, _ in
          guard path.contains("/messages") else { return nil }
          return counts.withLock { count in
            count += 1
            return count < 3 ? 503 : nil
          }
        }))
    await script.chat.open()
    await script.chat.send("hello", id: "r1")
    _ = await updates(of: script) {
      if case .message(let message) = $0, case .delivered = message.delivery { true } else { false }
    }
    let bodies = script.bodies("/messages")
    #expect(bodies.count == 3)
    #expect(Set(bodies) == [#"{"request_id":"r1","text":"hello"}"#])
    await script.chat.close()
  }

  @Test(arguments: [
    "data: no json\n\n", "id: x\ndata: {}\n\n", "id: 0\ndata: {\"event\":\"turn_started\"}\n\n",
    "id: 99999999999999999999999\ndata: {\"event\":\"later\",\"payload\":{}}\n\n", ":\n\n", "\u{0}\u{1}\n\n",
  ])
  func whatIsNoEventEndsNothing(_ noise: String) async {
    // One that could not be understood has used its number up.
    let first = noise.hasPrefix("id: 1\n") ? 2 : 1
    let script = script(
      Companion(streams: [[.bytes(Array(noise.utf8)), .bytes(Self.bytes(Self.turn, from: first))]]))
    await script.chat.open()
    let reported = await updates(of: script) { if case .turnEnded = $0 { true } else { false } }
    #expect(reported.count { if case .turnStarted = $0 { true } else { false } } == 1)
    #expect(reported.count { if case .loaded = $0 { true } else { false } } == 1)
    await script.chat.close()
  }

  @Test func aReaderThatFallsBehindLearnsOfItAndHoldsNoMore() async {
    let channel = RemoteUpdateChannel()
    for number in 0..<3 * RemoteUpdateChannel.limit { channel.put(.notice("\(number)")) }
    var count = 0
    var first: RemoteUpdate?
    channel.finish()
    while let update = await channel.next() {
      first = first ?? update
      count += 1
    }
    #expect(first == .resynchronized)
    #expect(count <= RemoteUpdateChannel.limit)
  }
}
