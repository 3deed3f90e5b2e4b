import TestSupport
import Testing

@testable import ResolveKitCore

/// The exhaustive test: recorded sessions, cut at every byte of the stream, ended at every byte of the journal and at
/// every step of the process. Whatever happens, the conversation ends as it would have, and no tool starts twice.
struct JournalCutTests {
  private static let names = SessionScript.recorded.map(\.name)

  private func script(_ name: String) throws -> SessionScript {
    try #require(SessionScript.recorded.first { $0.name == name }).script
  }

  private func session(_ script: SessionScript, _ change: (inout SimulatedDisk) -> Void = { _ in }) -> SimulatedSession
  {
    let session = SimulatedSession(script)
    var disk = SimulatedDisk()
    change(&disk)
    session.disk = disk
    return session
  }

  /// Roles and texts, as a person reads them.
  private func lines(_ session: SimulatedSession) throws -> [String] {
    try session.image.transcript.map { "\($0.role): \($0.text)" }
  }

  private func check(
    _ session: SimulatedSession, _ script: SessionScript, as expected: [String], _ label: Comment
  ) throws {
    let image = try session.image
    #expect(image.turn == nil, label)
    #expect(try lines(session) == expected, label)
    for (key, count) in session.starts {
      // An idempotent tool may run again; it was configured to.
      #expect(count == 1 || (script.isIdempotent(key.callID) && count <= session.restarts + 1), label)
    }
    for payloads in session.deliveries.values { #expect(Set(payloads).count == 1, label) }
    #expect(session.deliveries.keys.count == script.answeredCalls, label)
    #expect(image.cursor == session.scriptIDs.last, label)
    #expect(image.undelivered.isEmpty && image.interrupted.isEmpty, label)
    #expect(session.appliedIDs == session.scriptIDs, label)
  }

  private func uncut(_ script: SessionScript) throws -> (lines: [String], session: SimulatedSession) {
    let session = session(script)
    try session.run()
    let lines = try lines(session)
    try check(session, script, as: lines, "uncut")
    #expect(session.finished.map(\.status) == [script.status])
    return (lines, session)
  }

  @Test("Invariants 1 and 6: the stream cut at every byte", arguments: names)
  func streamCutAtEveryByte(name: String) throws {
    let script = try script(name)
    let (expected, _) = try uncut(script)
    var cuts = 0
    while true {
      cuts += 1
      let session = session(script)
      var remaining = [cuts]
      session.nextCut = { remaining.popLast() }
      session.overlap = { cuts.isMultiple(of: 2) ? 0 : 1 }
      try session.run()
      try check(session, script, as: expected, "\(name), stream cut after \(cuts) bytes")
      if session.connections == 1 || cuts > 20_000 { break }
    }
    #expect(cuts > 300 && cuts < 20_000)
    print("\(name): \(cuts) cuts of the stream")
  }

  @Test("Invariants 2, 6 and 7: the process ends at every byte of its journal", arguments: names)
  func processEndsAtEveryByteOfItsJournal(name: String) throws {
    let script = try script(name)
    let (expected, whole) = try uncut(script)
    let size = try #require(whole.disk).bytes.count
    for limit in 0..<size {
      let session = session(script) {
        $0.limit = limit
        if limit < JournalFormat.header.count { $0.bytes = Array($0.bytes.prefix(limit)) }
        $0.losesUnsynced = false
      }
      try session.run()
      #expect(session.restarts == 1, "\(name), journal cut at \(limit)")
      try check(session, script, as: expected, "\(name), journal cut at \(limit)")
    }
    print("\(name): \(size) cuts of the journal")
  }

  @Test("Invariants 2, 6, 7 and 8: the process ends at every step", arguments: names)
  func processEndsAtEveryStep(name: String) throws {
    let script = try script(name)
    let (expected, whole) = try uncut(script)
    let steps = try #require(whole.disk).steps
    var interrupted = 0
    for step in 1...steps {
      for (losesUnsynced, compactsEvery) in [(false, nil), (true, nil), (true, 3)] as [(Bool, Int?)] {
        let session = session(script) {
          $0.lastStep = step
          $0.losesUnsynced = losesUnsynced
          $0.compactsEvery = compactsEvery
        }
        try session.run()
        let label: Comment = "\(name), ended at step \(step), unsynced lost: \(losesUnsynced), \(compactsEvery ?? 0)"
        #expect(session.restarts <= 1, label)
        try check(session, script, as: expected, label)
        interrupted += session.deliveries.values.count { $0.first?.error == CallMachine.interruption }
      }
    }
    if script.answeredCalls > 0, name != "idempotent tool" { #expect(interrupted > 0) }
    print("\(name): \(3 * steps) ends at a step, \(interrupted) calls reported as interrupted")
  }

  @Test("Processes end, streams are cut and answers are lost, all at random", arguments: 1...300 as ClosedRange<UInt64>)
  func everythingAtOnce(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (name, script) = try #require(SessionScript.recorded.randomElement(using: &random))
    let (expected, whole) = try uncut(script)
    let steps = try #require(whole.disk).steps
    let session = session(script) {
      $0.lastStep = Int.random(in: 1...steps, using: &random)
      $0.losesUnsynced = Bool.random(using: &random)
      $0.compactsEvery = Int.random(in: 1...9, using: &random)
    }
    var budget = 12
    session.nextCut = {
      budget -= 1
      return budget > 0 ? Int.random(in: 1...1200, using: &random) : nil
    }
    session.losesAnswer = {
      budget -= 1
      return budget > 0 && Int.random(in: 0..<3, using: &random) == 0
    }
    var ends = Int.random(in: 0...3, using: &random)
    session.onRestart = { disk in
      guard ends > 0 else { return }
      ends -= 1
      disk.lastStep = disk.steps + Int.random(in: 1...20, using: &random)
    }
    try session.run()
    try check(session, script, as: expected, "seed \(seed): \(name)")
  }
}

extension SessionScript {
  func isIdempotent(_ callID: String) -> Bool { calls[callID] == "again" }

  /// Names of the functions that the turn's own calls ask for, by call id.
  fileprivate var calls: [String: String] {
    var calls: [String: String] = [:]
    for case .event(_, "tool_call_request", let data) in steps {
      guard let envelope = try? ResolveKitEnvelope(parsing: data), envelope.turnID == turnID else { continue }
      calls[envelope.payload["call_id"]?.stringValue ?? ""] = envelope.payload["function_name"]?.stringValue
    }
    return calls
  }

  fileprivate var answeredCalls: Int { calls.count }
}
