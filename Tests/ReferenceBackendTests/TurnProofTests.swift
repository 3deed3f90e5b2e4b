import EventLedger
import Synchronization
import Testing

@testable import ReferenceBackend

/// A process that is halted while it finds out whether a turn is its own.
@Suite(.timeLimit(.minutes(10)))
struct TurnProofTests {
  private static let lease = Duration.seconds(40)
  private static let halt = Duration.seconds(50)

  /// A backend whose first renewal is answered after a halt, and what happens in that time.
  private func harness(
    _ storage: BackendStorage, _ time: SetTime, model: ScriptedModel,
    meanwhile: @escaping @Sendable (LedgerLease) async -> Void
  ) async throws -> Harness {
    let clock = SteppedClock()
    let isHalted = Mutex(false)
    let halting = FaultyDatabase(
      storage,
      renewing: { lease in
        let isFirst = isHalted.withLock { isHalted in
          defer { isHalted = true }
          return !isHalted
        }
        guard isFirst else { return }
        time.advance(by: Self.halt)
        await meanwhile(lease)
        clock.advance(by: Self.halt)
      }, watch: { _ in })
    let harness = try await Harness(
      sharing: halting.storage(of: "one"), model: model, settings: BackendSettings(turnLease: Self.lease),
      clock: clock, time: time)
    // The first round is over: the first renewal is the turn's.
    await clock.waitForSleeper(until: Self.lease / TakeoverWatch.roundsPerLease)
    return harness
  }

  @Test func whoLostTheTurnMeanwhileDoesNotAskTheModel() async throws {
    let time = SetTime()
    let storage = try BackendDatabase(path: nil).storage(now: { time.now })
    let isAsked = Mutex(false)
    let isLost = Mutex(false)
    let model = ScriptedModel([{ _, _ in isAsked.withLock { $0 = true } }])
    let harness = try await harness(storage, time, model: model) { lease in
      let other = try? await storage.ledger.lease(lease.stream, to: "other", for: Self.lease)
      isLost.withLock { $0 = other != nil }
    }
    let session = try await harness.openSession()
    try await session.say("x", requestID: "r")
    await harness.core.turns.waitUntilIdle()
    #expect(isLost.withLock { $0 })
    #expect(!isAsked.withLock { $0 })
    await harness.core.close()
  }

  @Test func whoHasTheTurnStillGoesOn() async throws {
    let time = SetTime()
    let storage = try BackendDatabase(path: nil).storage(now: { time.now })
    let isLate = Mutex(false)
    let harness = try await harness(storage, time, model: ScriptedModel(words: ["here"])) { _ in
      isLate.withLock { $0 = true }
    }
    let session = try await harness.openSession()
    try await session.say("x", requestID: "r")
    await harness.core.turns.waitUntilIdle()
    #expect(isLate.withLock { $0 })
    #expect(try await session.eventsOfTurn().text == "here")
    await harness.core.close()
  }

  /// The renewals that a proof took, whose answers came after these times.
  private func renewals(answeredAfter times: [Duration]) async throws -> Int {
    let clock = SteppedClock()
    let rest = Mutex(times[...])
    let late = FaultyDatabase(
      try BackendDatabase(path: nil).storage(),
      renewing: { _ in clock.advance(by: rest.withLock { $0.popFirst() ?? .zero }) }, watch: { _ in })
    let leases = TurnLeases(late, name: "one", duration: Self.lease)
    let lease = try #require(try await leases.take("s", forTurn: "t", patience: .zero))
    try await leases.prove(lease, clock: clock)
    return times.count - rest.withLock { $0.count }
  }

  @Test func anAnswerProvesNothingWhenTheLeaseMayBeOver() async throws {
    #expect(try await renewals(answeredAfter: [Self.lease - .nanoseconds(1), .zero]) == 1)
    #expect(try await renewals(answeredAfter: [Self.lease, .zero, .zero]) == 2)
    let error = await #expect(throws: LedgerError.self) {
      _ = try await renewals(answeredAfter: [Self.lease, Self.lease, .zero])
    }
    #expect(error?.code == .unavailable(mayHaveHappened: true))
  }
}
