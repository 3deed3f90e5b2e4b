import EventStream
import Foundation
import TestSupport
import Testing

@testable import ResolveKitCore

/// The promises of the session layer, one test each where no other suite has it.
struct TurnInvariantTests {
  @Test func allSeventeenAreNamedByATest() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    var named: Set<Int> = []
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      for line in try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline) {
        guard let mention = line.firstMatch(of: /Invariants? ([0-9, and]+):/) else { continue }
        named.formUnion(mention.1.split { !$0.isNumber }.compactMap { Int($0) })
      }
    }
    #expect(named.isSuperset(of: 1...17), "not named: \(Set(1...17).subtracting(named).sorted())")
  }

  @Test("Invariant 3: the cursor moves with whole events alone, and never leaves its session")
  func theCursorIsOfOneSession() {
    var machine = TurnMachine.running()
    _ = machine.handle(.event("5", "assistant_text_delta", ["delta": "a"]))
    #expect(machine.cursor == "5")
    // An id without data counts; what has no id moves nothing.
    _ = machine.handle(.streamEvent(StreamEvent(generation: 1, id: "6", type: "message", data: "", arrivedAt: 3)))
    #expect(machine.cursor == "6")
    _ = machine.handle(.streamEvent(StreamEvent(generation: 1, id: "", type: "x", data: "{}", arrivedAt: 3)))
    #expect(machine.cursor == "6")
    // A repeated event moves it not back.
    _ = machine.handle(.event("5", "assistant_text_delta", ["delta": "a"]))
    #expect(machine.cursor == "6")
    _ = machine.handle(.streamRefused(generation: 1, RequestFailure(status: 404, message: "gone")))
    let actions = machine.handle(.sessionCreated(sessionID: "other", isReused: false))
    #expect(actions.contains { if case .openStream(_, cursor: nil) = $0 { true } else { false } })
    #expect(machine.record.contains(.session(id: "other")))
  }

  @Test("Invariant 4: the machine is the same for every partition of the bytes")
  func chunkingChangesNothing() throws {
    var bytes: [UInt8] = []
    for case .event(let id, let type, let data) in SessionScript.rich.steps {
      bytes += EventStreamWriter.encode(ServerSentEvent(type: type, data: data, lastEventID: id))
    }
    func play(_ size: Int) throws -> (TurnMachine, [TurnAction]) {
      var machine = TurnMachine.open()
      _ = machine.handle(.sendRequested(OutgoingMessage(requestID: "request-1", text: "hi"), at: 1))
      var parser = EventStreamParser()
      var actions: [TurnAction] = []
      var start = 0
      while start < bytes.count {
        let end = min(start + size, bytes.count)
        for item in try parser.parse(Array(bytes[start..<end])) {
          guard case .event(let event) = item else { continue }
          actions += machine.handle(
            .streamEvent(
              StreamEvent(generation: 1, id: event.lastEventID, type: event.type, data: event.data, arrivedAt: 2)))
        }
        start = end
      }
      return (machine, actions)
    }
    let whole = try play(bytes.count)
    #expect(whole.1.count > 20)
    for size in [1, 2, 3, 7, 64, bytes.count / 2] {
      let parts = try play(size)
      #expect(parts.0 == whole.0 && parts.1 == whole.1, "chunks of \(size)")
    }
  }

  @Test(
    "Invariant 5: whatever is lost or repeated before it, the shown text ends as the full text",
    arguments: 1...300 as ClosedRange<UInt64>)
  func textConverges(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = ["Grü", "ße ", "e", "\u{301}", "😀", "\r\n", "\u{1F1E9}", "\u{1F1EA}", "."]
    var machine = TurnMachine.running()
    var shown = ""
    var heals = 0
    // By the rule itself: what is shown is not what the backend says it is.
    var expected = 0
    var believed = ""
    func take(_ event: TurnEvent) {
      for action in machine.handle(event) {
        switch action {
        case .appendText(_, let text): shown += text
        case .replaceText(_, let text): shown = text
        case .note(.textHealed): heals += 1
        default: break
        }
      }
    }
    for index in 0..<30 {
      let position = Int.random(in: 0..<words.count, using: &random)
      let accumulated = words[...position].joined()
      var payload: JSONObject = ["delta": .string(words[position])]
      believed += words[position]
      if Int.random(in: 0..<4, using: &random) > 0 {
        payload["accumulated"] = .string(accumulated)
        if Array(believed.utf8) != Array(accumulated.utf8) { expected += 1 }
        believed = accumulated
      }
      take(.event("e\(index)", "assistant_text_delta", payload))
    }
    let full = words.joined()
    if Array(believed.utf8) != Array(full.utf8) { expected += 1 }
    take(.event("end", "turn_complete", ["full_text": .string(full)]))
    #expect(Array(shown.utf8) == Array(full.utf8), "seed \(seed)")
    #expect(machine.statistics.textsHealed == expected && heals == expected, "seed \(seed)")
  }

  @Test("Invariant 11: nothing of an older connection has any effect")
  func oneLiveConnection() {
    var machine = TurnMachine.running()
    _ = machine.handle(.streamRefused(generation: 1, RequestFailure(status: 401, message: "old token")))
    let opened = machine.handle(.sessionCreated(sessionID: "s", isReused: true))
    #expect(opened.contains { if case .openStream(generation: 2, _) = $0 { true } else { false } })
    let before = machine
    for event: TurnEvent in [
      .streamOpened(generation: 1, at: 9), .streamConnecting(generation: 1, attempt: 4),
      .event("1", "turn_complete", ["full_text": "old"]), .call("2", "c", "auto"),
      .streamEnded(generation: 1, isClean: true, reason: nil, resumesAtOnce: true),
      .streamRefused(generation: 1, RequestFailure(status: 404, message: "old")),
    ] {
      let actions = machine.handle(event)
      #expect(actions == [.note(.staleStream(generation: 1))])
      #expect(machine.record.isEmpty)
    }
    #expect(machine.cursor == before.cursor && machine.shownText == before.shownText)
    #expect(machine.connectionState == before.connectionState && machine.isTurnInProgress)
  }

  @Test("Invariant 12: no end of a stream ends a turn, and no second try starts another")
  func turnsEndByTheirOwnEvent() {
    var machine = TurnMachine.running()
    for round in 0..<50 {
      let isClean = round.isMultiple(of: 2)
      let ended = machine.handle(
        .streamEnded(generation: 1, isClean: isClean, reason: "eof", resumesAtOnce: isClean))
      let opened = machine.handle(.streamOpened(generation: 1, at: UInt64(round)))
      #expect((ended + opened).results.isEmpty)
      #expect(machine.isTurnInProgress)
    }
    let second = machine.handle(.sendRequested(OutgoingMessage(requestID: "r2", text: "again"), at: 60))
    #expect(second.contains { if case .refuseMessage("r2", _) = $0 { true } else { false } })
    #expect(machine.handle(.messageAccepted(requestID: "r", turnID: "t", at: 61)).isEmpty)
    let last = machine.handle(.event("9", "turn_complete", ["full_text": "x"]))
    #expect(last.results.map(\.status) == [.complete])
  }

  @Test("Invariant 15: a stop ends everything in every state, once")
  func stopIsIdempotent() {
    let scripts: [[TurnEvent]] = [
      [], [.startRequested(tools: [])], [.startRequested(tools: []), .registered],
      [.startRequested(tools: []), .registered, .sessionCreated(sessionID: "s", isReused: true)],
      [.startRequested(tools: []), .registered, .sessionCreated(sessionID: "s", isReused: false)],
      [
        .startRequested(tools: SimulatedSession.tools), .registered,
        .sessionCreated(sessionID: "s", isReused: false), .streamOpened(generation: 1, at: 1),
        .sendRequested(OutgoingMessage(requestID: "r", text: "x"), at: 1),
        .messageAccepted(requestID: "r", turnID: "t", at: 1), .call("1", "a", "auto"), .call("2", "b", "asks"),
        .deadlinePassed(.batchWindow(batchID: 1), at: 300_000_000),
      ],
    ]
    for (index, script) in scripts.enumerated() {
      var machine = TurnMachine()
      var running: Set<ToolCallKey> = []
      var scheduled: Set<TurnDeadline> = []
      func take(_ actions: [TurnAction]) {
        for action in actions {
          switch action {
          case .startTool(let call): running.insert(call.key)
          case .cancelTool(let key): running.remove(key)
          case .scheduleDeadline(.toolCall(let key), _): scheduled.insert(.toolCall(key))
          case .cancelDeadline(let deadline): scheduled.remove(deadline)
          default: break
          }
        }
      }
      for event in script { take(machine.handle(event)) }
      take(machine.handle(.stopRequested))
      #expect(running.isEmpty && scheduled.isEmpty, "script \(index)")
      #expect(!machine.isTurnInProgress && machine.connectionState == .idle, "script \(index)")
      let late =
        machine.handle(.stopRequested) + machine.handle(.event("8", "turn_complete", ["full_text": "x"]))
        + machine.handle(.toolFinished(ToolCallKey(turnID: "t", callID: "a"), .success(1), at: 9))
      #expect(late.allSatisfy { if case .note = $0 { true } else { false } }, "script \(index)")
    }
  }
}
