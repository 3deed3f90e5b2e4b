import EventLedger
import GRDB
import ResolveKitCore
import TestSupport
import Testing

@testable import WorkerRuntime

/// Several processes write one stream, each deciding on its newest value.
@Suite(.timeLimit(.minutes(5)))
struct SharedStreamTests {
  /// A sum, and how many numbers it has.
  private struct Sum: StreamFold {
    private(set) var total: Int64 = 0
    private(set) var count = 0

    mutating func apply(_ event: LedgerEvent) {
      total += event.members["n"]?.number ?? 0
      count += 1
    }
  }

  private struct TooMuch: Error {}

  private func add(_ number: Int64) -> LedgerDraft {
    LedgerDraft(type: "n", payload: JSONText.of(["n": JSONValue(number)]))
  }

  private func stream(_ ledger: any EventLedger) -> SharedStream<Sum> {
    SharedStream("sum", Storage(ledger, clock: ContinuousClock()))
  }

  @Test func aDecisionIsMadeOnTheNewestValueInEveryProcess() async throws {
    let ledger = try SQLiteEventLedger(DatabaseQueue())
    let streams = (0..<4).map { _ in stream(ledger) }
    // Each adds one unless there are 200: that there are never more shows that none decided on an old value.
    await withTaskGroup(of: Void.self) { group in
      for stream in streams {
        for _ in 0..<100 {
          group.addTask {
            _ = try? await stream.change { sum in
              guard sum.total < 200 else { throw TooMuch() }
              return [add(1)]
            }
          }
        }
      }
    }
    for stream in streams { #expect(try await stream.current().total == 200) }
    #expect(try await ledger.extent(of: "sum").last == 200)
  }

  @Test func aRefusalOnAnOutdatedValueIsReconsidered() async throws {
    let ledger = try SQLiteEventLedger(DatabaseQueue())
    let one = stream(ledger)
    let two = stream(ledger)
    _ = try await one.change { _ in [add(5)] }
    _ = try await two.change { _ in [add(5)] }
    // For the first one the sum is 5 still; it finds out before it refuses, and before it says that nothing is to do.
    let change = try await one.change { sum in
      guard sum.total == 10 else { throw TooMuch() }
      return []
    }
    #expect(change.event == nil && change.value.total == 10)
    await #expect(throws: TooMuch.self) {
      try await two.change { sum in
        guard sum.total > 10 else { throw TooMuch() }
        return []
      }
    }
  }

  @Test func aKeyFindsWhatWasStoredBefore() async throws {
    let ledger = try SQLiteEventLedger(DatabaseQueue())
    let one = stream(ledger)
    let first = try await one.change(key: "k") { _ in [add(5)] }
    _ = try await one.change { _ in [add(1)] }
    let repeated = try await stream(ledger).change(key: "k") { _ in [add(5)] }
    #expect(repeated.isRepeat && repeated.event == first.event && repeated.value.total == 6)
    await #expect(throws: LedgerError.self) { try await one.change(key: "k") { _ in [add(6)] } }
    #expect(try await one.current().total == 6)
  }

  @Test func aProcessThatWasBehindTheFloorBeginsAgain() async throws {
    let ledger = try SQLiteEventLedger(DatabaseQueue())
    let one = stream(ledger)
    let two = stream(ledger)
    for _ in 0..<5 { _ = try await one.change { _ in [add(1)] } }
    #expect(try await two.current().count == 5)
    for _ in 0..<5 { _ = try await one.change { _ in [add(1)] } }
    try await ledger.trim("sum", through: 8)
    #expect(try await two.current().count == 2)
  }

  @Test func aCallerThatLeavesBreaksNothingOff() async throws {
    let ledger = try SQLiteEventLedger(DatabaseQueue())
    let one = stream(ledger)
    for number in 1...20 {
      let task = Task { try await one.change { _ in [add(1)] } }
      task.cancel()
      _ = try? await task.value
      #expect(try await one.current().count == number)
    }
  }
}
