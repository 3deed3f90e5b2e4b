import ReferenceBackend
import ResolveKitCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct InterruptedTurnTests {
  private static func halting(_ gate: Gate, after words: [String]) -> ScriptedModel {
    ScriptedModel([
      { _, output in
        for word in words { try await output(.text(word)) }
        await gate.wait()
        try Task.checkCancellation()
      }
    ])
  }

  /// The first backend's files are copied while its turn runs: what `kill -9` would leave.
  @Test func aCrashIsReportedAndNothingIsLost() async throws {
    let folder = try TemporaryFolder()
    let gate = Gate()
    let first = try await Harness(model: Self.halting(gate, after: ["a ", "b "]), path: folder.path("1.sqlite"))
    let session = try await first.openSession(device: "d")
    var reader = try await session.stream()
    let turn = try await session.say("x", requestID: "r")
    let seen = [try await reader.nextEvent(), try await reader.nextEvent()].compactMap { $0 }
    let second = try await Harness(model: ScriptedModel(words: ["c"]), path: try folder.crashed("1.sqlite"))
    let again = TestSession(harness: second, id: session.id, token: session.token, isReused: true)
    let last = try #require(seen.last?.id)
    let rest = try await again.eventsOfTurn(after: last)
    #expect(rest.count == 1)
    #expect(rest.first?.turnID == turn)
    #expect(rest.first?.requestID == "r")
    #expect(rest.first?.payload["code"] == "interrupted")
    #expect(rest.first?.payload["recoverable"] == true)
    #expect(try await again.eventsOfTurn().prefix(2).elementsEqual(seen))
    // The lock is gone, the request is remembered, and ids continue.
    #expect(try await again.say("x", requestID: "r") == turn)
    try await again.say("y", requestID: "r2")
    let interrupted = try #require(rest.first?.id)
    let next = try await again.eventsOfTurn(after: interrupted)
    #expect(next.text == "c")
    let numbers = (seen + rest + next).compactMap { Int($0.id) }
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    gate.open()
    await first.core.close()
    await second.core.close()
  }

  @Test func anOrderlyStopSaysNothingAndTheNextStartDoes() async throws {
    let folder = try TemporaryFolder()
    let gate = Gate()
    let model = ScriptedModel([
      { _, output in
        try await output(.text("a"))
        try await withTaskCancellationHandler {
          await gate.wait()
          try Task.checkCancellation()
        } onCancel: {
          gate.open()
        }
      }
    ])
    let first = try await Harness(model: model, path: folder.path("1.sqlite"))
    let session = try await first.openSession()
    var reader = try await session.stream()
    try await session.say("x", requestID: "r")
    let seen = try #require(try await reader.nextEvent())
    first.core.endStreams()
    #expect(try await reader.nextEvent() == nil)
    await first.core.close()

    let second = try await Harness(path: folder.path("1.sqlite"))
    let again = TestSession(harness: second, id: session.id, token: session.token, isReused: true)
    let rest = try await again.eventsOfTurn(after: seen.id)
    #expect(rest.map { $0.payload["code"]?.stringValue } == ["interrupted"])
    await second.core.close()
    // Told once: the third start adds nothing.
    let third = try await Harness(path: folder.path("1.sqlite"))
    let last = TestSession(harness: third, id: session.id, token: session.token, isReused: true)
    #expect(try await third.core.log.events(of: last.id, after: .beginning, limit: 10).count == 2)
    await third.core.close()
  }
}
