import Testing

@testable import EventLedger

struct AppendCoreTests {
  private func core(_ limits: AppendLimits, _ sizes: [Int], keyed: Set<Int> = []) throws -> AppendCore {
    var core = AppendCore(limits: limits)
    for (index, size) in sizes.enumerated() {
      #expect(core.nextNumber() == index + 1)
      try core.add(index + 1, bytes: size, hasKey: keyed.contains(index + 1))
    }
    return core
  }

  @Test func oneBatchIsWrittenAtATimeWithinCountAndBytes() throws {
    var core = try core(AppendLimits(batchAppends: 3, batchBytes: 100), [10, 10, 10, 10, 60, 31, 500, 1])
    #expect(core.nextBatch() == [1, 2, 3])
    #expect(core.nextBatch() == nil)
    core.written()
    // The sixth would make it 101 bytes; the seventh alone is larger than a batch.
    for batch in [[4, 5], [6], [7], [8]] {
      #expect(core.nextBatch() == batch)
      core.written()
    }
    #expect(core.nextBatch() == nil)
    #expect(core.appends == 0 && core.bytes == 0)
  }

  @Test func whatWaitsIsBoundedWithWhatIsWritten() throws {
    var core = try core(AppendLimits(queuedAppends: 3, queuedBytes: 100), [60])
    #expect(core.nextBatch() == [1])
    #expect(throws: LedgerError.self) { try core.add(2, bytes: 41, hasKey: false) }
    try core.add(3, bytes: 40, hasKey: false)
    try core.add(4, bytes: 0, hasKey: false)
    #expect(throws: LedgerError.self) { try core.add(5, bytes: 0, hasKey: false) }
    core.written()
    // A single one may be larger than all that may wait: it is checked elsewhere.
    var empty = AppendCore(limits: AppendLimits(queuedBytes: 100))
    try empty.add(empty.nextNumber(), bytes: 101, hasKey: false)
    #expect(empty.bytes == 101)
  }

  @Test func whatFailsForNowIsTriedInItsPlaceWithLongerPausesAndNotForEver() throws {
    let limits = AppendLimits(attempts: 5, pause: .seconds(1), longestPause: .seconds(5))
    var core = try core(limits, [1, 1])
    for pause in [1, 2, 4, 5] {
      #expect(core.nextBatch() == [1, 2])
      let failure = core.failed(.unavailable(mayHaveHappened: false))
      #expect(failure == AppendCore.Failure(refused: [], pause: .seconds(pause)))
      #expect(core.nextBatch() == nil)
      core.resume()
    }
    try core.add(core.nextNumber(), bytes: 1, hasKey: false)
    #expect(core.nextBatch() == [1, 2, 3])
    #expect(
      core.failed(.unavailable(mayHaveHappened: false)) == AppendCore.Failure(refused: [1, 2], pause: .seconds(1)))
  }

  @Test func whatMayHaveHappenedIsTriedAgainUnderItsKeyAlone() throws {
    var core = try core(AppendLimits(), [1, 1, 1], keyed: [2])
    #expect(core.nextBatch() == [1, 2, 3])
    try core.add(core.nextNumber(), bytes: 1, hasKey: false)
    let failure = core.failed(.unavailable(mayHaveHappened: true))
    #expect(failure.refused == [1, 3] && failure.pause > .zero)
    core.resume()
    #expect(core.nextBatch() == [2, 4])
    // A lasting failure fails all at once, and nothing is waited for.
    #expect(core.failed(.database) == AppendCore.Failure(refused: [2, 4], pause: .zero))
    #expect(core.appends == 0 && core.bytes == 0)
  }

  @Test func whatIsWrittenIsNotTakenBack() throws {
    var core = try core(AppendLimits(batchAppends: 1), [1, 1])
    #expect(core.nextBatch() == [1])
    let (written, waiting, again) = (core.remove(1), core.remove(2), core.remove(2))
    #expect(!written && waiting && !again)
    #expect(core.appends == 1)
  }
}
