import EventLedger
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StreamMailboxTests {
  private func event(_ number: Int) -> LedgerEvent {
    LedgerEvent(sequence: Int64(number), fence: 1, time: WallTime(microseconds: 0), type: "error", payload: [])
  }

  @Test func everythingComesInOrderWhicheverSideIsFaster() async {
    let mailbox = StreamMailbox()
    let putting = Task { for number in 1...1_000 { await mailbox.put(event(number)) } }
    var seen: [Int64] = []
    while seen.count < 1_000, case .events(let events) = await mailbox.next() { seen += events.map(\.sequence) }
    await putting.value
    #expect(seen == Array(1...1_000))
  }

  @Test func aBeatIsReportedWhereNothingElseIs() async {
    let mailbox = StreamMailbox()
    mailbox.beat()
    guard case .beat = await mailbox.next() else {
      Issue.record("no beat")
      return
    }
    // Events are a sign of life themselves.
    await mailbox.put(event(1))
    mailbox.beat()
    guard case .events = await mailbox.next() else {
      Issue.record("no events")
      return
    }
    mailbox.end()
    guard case .end = await mailbox.next() else {
      Issue.record("a beat behind the events")
      return
    }
  }

  @Test func aReaderOfASlowClientWaits() async {
    let mailbox = StreamMailbox()
    let gate = Gate()
    let putting = Task {
      for number in 1...200 {
        await mailbox.put(event(number))
        if number == 64 { gate.open() }
      }
    }
    await gate.wait()
    // Nobody takes: what is held stays within its room, however long that lasts.
    for _ in 0..<1_000 { await Task.yield() }
    guard case .events(let first) = await mailbox.next() else { return }
    #expect(first.count <= 64)
    mailbox.end()
    await putting.value
    guard case .end = await mailbox.next() else {
      Issue.record("the end comes before what waits")
      return
    }
  }

  private func event(bytes: Int) -> LedgerEvent {
    LedgerEvent(
      sequence: 1, fence: 1, time: WallTime(microseconds: 0), type: "word", payload: Array(repeating: 0, count: bytes))
  }

  @Test func theOneThatHoldsMostIsEndedWhereAllHoldTooMuch() async {
    let budget = StreamBudget(bytes: 200 << 10)
    let (small, large) = (StreamMailbox(budget: budget), StreamMailbox(budget: budget))
    await large.put(event(bytes: 120 << 10))
    await small.put(event(bytes: 80 << 10))
    #expect(budget.bytes == 200 << 10)
    await small.put(event(bytes: 16 << 10))
    await large.ended()
    guard case .end = await large.next() else {
      Issue.record("it continues")
      return
    }
    #expect(budget.bytes == 96 << 10)
    // While it is written, it is there as text too; then it is gone.
    guard case .events(let events) = await small.next() else {
      Issue.record("the small one has ended")
      return
    }
    #expect(events.count == 2 && budget.bytes == 192 << 10)
    small.beat()
    _ = await small.next()
    #expect(budget.bytes == 0)
  }

  @Test func aPageIsTakenInOnePieceAndNoneIsDivided() async {
    let mailbox = StreamMailbox()
    let pages = [1...40, 41...60, 61...100, 101...300].map { numbers in numbers.map { event($0) } }
    let putting = Task { for page in pages { await mailbox.put(page) } }
    var pieces: [[Int64]] = []
    while pieces.last?.last != 300, case .events(let events) = await mailbox.next() {
      pieces.append(events.map(\.sequence))
    }
    await putting.value
    #expect(pieces.flatMap(\.self) == Array(1...300))
    let ends = Set(pages.compactMap { $0.last?.sequence })
    #expect(pieces.allSatisfy { piece in piece.last.map { ends.contains($0) } ?? false })
    #expect(pieces.allSatisfy { $0.count <= 64 || $0.count == 200 })
  }

  @Test func aMailboxThatIsGoneHoldsNothing() async {
    let budget = StreamBudget(bytes: 1 << 20)
    do {
      let mailbox = StreamMailbox(budget: budget)
      await mailbox.put(event(bytes: 100 << 10))
      #expect(budget.bytes == 96 << 10)
    }
    #expect(budget.bytes == 0)
  }

  @Test func whatIsPutIntoAMailboxThatHasEndedIsNotHeld() async {
    let budget = StreamBudget(bytes: 1 << 20)
    let mailbox = StreamMailbox(budget: budget)
    mailbox.end()
    await mailbox.put(event(bytes: 100 << 10))
    #expect(budget.bytes == 0)
  }

  /// A page of the reader's waits behind an event that does not fit.
  @Test func aReaderThatWaitsHoldsAPage() async {
    let budget = StreamBudget(bytes: 1 << 20)
    let mailbox = StreamMailbox(budget: budget)
    await mailbox.put(event(bytes: 256 << 10))
    #expect(budget.bytes == 256 << 10)
    let putting = Task { await mailbox.put(event(bytes: 1)) }
    while budget.bytes < 512 << 10 { await Task.yield() }
    mailbox.end()
    await putting.value
    withExtendedLifetime(mailbox) {}
  }

  @Test func aCancelledTaskLearnsOfTheEnd() async {
    let mailbox = StreamMailbox()
    let taking = Task { await mailbox.next() }
    taking.cancel()
    guard case .end = await taking.value else {
      Issue.record("it waits on")
      return
    }
  }
}
