import EventLedger
import Synchronization
import TestSupport
import Testing

@testable import ReferenceBackend

/// What a process that is gone has left of a turn that was over: the stream's lease.
@Suite(.timeLimit(.minutes(10)))
struct FreedStreamTests {
  /// The stream is freed as a turn of the same process begins, between the look for turns and the lease.
  @Test func itIsNotFreedUnderATurnThatBeganMeanwhile() async throws {
    let database = try BackendDatabase(path: nil)
    let first = try await Harness(sharing: try database.storage(), model: ScriptedModel([]))
    let left = try await first.openSession()
    let stream = SessionLog.stream(of: left.id)
    _ = try await database.storage().ledger.lease(stream, to: "gone", for: .zero)

    let (isAsked, mayGo, isAnswered, model) = (Gate(), Gate(), Gate(), Gate())
    let asked = Atomic(0)
    let answered = Atomic(0)
    let meeting = FaultyDatabase(
      try database.storage(),
      leasing: { step in
        // The first one that asks is the round, and the last one that is answered.
        switch step {
        case .asked:
          guard asked.wrappingAdd(1, ordering: .relaxed).newValue == 1 else { return }
          isAsked.open()
          await mayGo.wait()
        case .answered: if answered.wrappingAdd(1, ordering: .relaxed).newValue == 2 { isAnswered.open() }
        }
      }, watch: { _ in })
    let second = try await Harness(
      sharing: meeting.storage(of: "second"), model: ScriptedModel.halting(model),
      settings: BackendSettings(turnLease: .seconds(600)))
    let session = TestSession(harness: second, id: left.id, token: left.token, isReused: true)
    await isAsked.wait()
    try await session.say("x", requestID: "r")
    var reader = try await session.stream()
    #expect(try await reader.nextEvent()?.type == "assistant_text_delta")
    mayGo.open()
    await isAnswered.wait()
    model.open()
    await second.core.turns.waitUntilIdle()
    // A turn that lost its stream would be nobody's, and its session busy for ever.
    try #require(try await session.post("x", requestID: "r2").status == 202)
    #expect(try await session.eventsOfTurn().text == "half more")
    await second.core.close()
    await first.core.close()
  }

  /// A look for a turn that is over by then takes nothing from the next one.
  @Test func twoTurnsOfOneProcessAreTwoHolders() async throws {
    let leases = TurnLeases(try BackendDatabase(path: nil).storage().ledger, name: "one", duration: .seconds(600))
    let lease = try #require(try await leases.take("s", forTurn: "a", patience: .zero))
    #expect(try await leases.take("s", forTurn: "b", patience: .zero) == nil)
    let again = try #require(try await leases.take("s", forTurn: "a", patience: .zero))
    #expect(again.fence > lease.fence)
    await leases.release(again)
    #expect(try await leases.take("s", forTurn: "b", patience: .zero) != nil)
  }
}
