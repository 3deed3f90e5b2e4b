import TestSupport
import Testing

@testable import ResolveKitCore

/// Cut, resume, repeat: nothing is lost, repeated or run twice.
struct TurnCutTests {
  private func check(_ session: SimulatedSession, _ script: SessionScript, _ comment: String) throws {
    let label = Comment(rawValue: comment)
    let result = try #require(session.finished.first, label)
    #expect(session.finished.count == 1, label)
    #expect(result.status == .complete, label)
    #expect(Array(session.shown.utf8) == Array(script.fullText.utf8), label)
    #expect(Array(result.text.utf8) == Array(script.fullText.utf8), label)
    #expect(session.starts.values.allSatisfy { $0 == 1 }, label)
    for payloads in session.deliveries.values { #expect(Set(payloads).count == 1, label) }
    let readable = session.scriptIDs.filter { id in !session.notes.contains { $0.isPoison(id) } }
    #expect(session.appliedIDs == readable, label)
    #expect(session.machine.cursor == session.scriptIDs.last, label)
  }

  @Test func uncutItEndsWithTheWholeText() throws {
    let session = SimulatedSession(.rich)
    try session.run()
    try check(session, .rich, "uncut")
    #expect(session.starts.count == 3)
    #expect(session.machine.statistics.textsHealed == 0)
    #expect(session.machine.statistics.poisonEvents == 1)
    #expect(session.settled.values.allSatisfy { $0 == .accepted })
    #expect(session.notes.contains(.foreignCall(ToolCallKey(turnID: "z", callID: "call-a"))))
  }

  @Test(arguments: [0, 2, 100])
  func cutAtEveryByte(overlap: Int) throws {
    let scripts = overlap == 2 ? [("rich", SessionScript.rich)] : [("rich", .rich), ("short", .short)]
    for (name, script) in scripts {
      var position = 0
      while true {
        position += 1
        let session = SimulatedSession(script)
        var cuts = [position]
        session.nextCut = { cuts.popLast() }
        session.overlap = { overlap }
        try session.run()
        try check(session, script, "\(name) cut at \(position), \(overlap) repeated")
        if session.connections == 1 || position > 20_000 { break }
      }
      #expect(position > 500)
    }
  }

  @Test(arguments: [1, 2, 3])
  func cutAfterEveryFewEvents(count: Int) throws {
    let session = SimulatedSession(.rich)
    session.nextCut = { 420 * count }
    session.overlap = { 0 }
    try session.run()
    try check(session, .rich, "cut every \(420 * count) bytes")
    #expect(session.connections > 2)
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func randomFaults(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let session = SimulatedSession(.rich)
    var budget = 40
    session.nextCut = {
      budget -= 1
      return budget > 0 ? Int.random(in: 1...900, using: &random) : nil
    }
    session.overlap = { Int.random(in: 0...6, using: &random) }
    session.losesAnswer = {
      budget -= 1
      return budget > 0 && Int.random(in: 0..<3, using: &random) == 0
    }
    try session.run()
    try check(session, .rich, "seed \(seed)")
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func theJournalReplaysTheMachine(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let session = SimulatedSession(.rich)
    var budget = 10
    session.nextCut = {
      budget -= 1
      return budget > 0 ? Int.random(in: 1...900, using: &random) : nil
    }
    try session.run()
    var replayed = TurnMachine()
    var actions: [TurnAction] = []
    let bytes = try ResolveKitJSON.encode(session.journal)
    for event in try ResolveKitJSON.decode([TurnEvent].self, from: bytes) { actions += replayed.handle(event) }
    #expect(replayed == session.machine, "seed \(seed)")
    #expect(actions == session.actions, "seed \(seed)")
  }
}

extension TurnNote {
  fileprivate func isPoison(_ id: String) -> Bool {
    if case .poisonEvent(id, _) = self { true } else { false }
  }
}
