import CodexRemoteContract
import EventLedger
import ResolveKitCore
import Testing

@testable import WorkerRuntime

/// The order and the bounds of what waits for the ledger.
struct HostedQueueTests {
  private func draft(_ name: String, bytes: Int = 2) -> LedgerDraft {
    LedgerDraft(type: name, payload: [UInt8](repeating: 0x20, count: bytes))
  }

  private func queue() -> HostedQueue {
    HostedQueue { LedgerDraft(type: "gap \($0)", payload: []) }
  }

  private func add(_ draft: LedgerDraft, to queue: inout HostedQueue, isTaken: Bool = true) {
    let wasTaken = queue.add(draft)
    #expect(wasTaken == isTaken)
  }

  private func types(_ batch: HostedQueue.Batch?) -> [String] {
    switch batch {
    case .events(let drafts, _): drafts.map(\.type)
    case .receipt(let receipt): ["receipt \(receipt.requestID)"]
    case .start: ["start"]
    case nil: []
    }
  }

  private func receipt(_ id: String) -> Receipt {
    Receipt(.timeout, "t", requestID: id, method: "thread/list", at: WallTime(microseconds: 0))
  }

  @Test func writesComeInOrderAndTheSameOneUntilItIsWritten() {
    var queue = queue()
    queue.addStart()
    for name in ["a", "b"] { add(draft(name), to: &queue) }
    queue.add(receipt("r"))
    add(draft("c"), to: &queue)
    var seen: [[String]] = []
    while let batch = queue.next() {
      let again = queue.next()
      #expect(again == batch)
      seen.append(types(batch))
      queue.written()
    }
    #expect(seen == [["start"], ["a", "b"], ["receipt r"], ["c"]])
    #expect(queue.isEmpty && queue.events == 0)
  }

  @Test func eachWriteOfEventsHasAKeyOfItsOwn() {
    var queue = queue()
    var keys: Set<Int> = []
    for _ in 0..<3 {
      add(draft("a"), to: &queue)
      if case .events(_, let key)? = queue.next() { keys.insert(key) }
      queue.written()
    }
    #expect(keys.count == 3)
  }

  @Test func eventsBeyondTheNumberAreCountedWhereTheyAreMissingAndReceiptsAreNot() {
    var queue = queue()
    for number in 0..<HostedQueue.maximumEvents { add(draft("\(number)"), to: &queue) }
    for name in ["lost", "lost too"] { add(draft(name), to: &queue, isTaken: false) }
    queue.add(receipt("r"))
    #expect(queue.isFull && queue.lost == 2)
    _ = queue.next()
    queue.written()
    add(draft("after"), to: &queue)
    var seen: [String] = []
    while let batch = queue.next() {
      seen += types(batch)
      queue.written()
    }
    #expect(seen.suffix(4) == ["\(HostedQueue.maximumEvents - 1)", "receipt r", "gap 2", "after"])
    #expect(queue.lost == 2 && queue.isEmpty)
  }

  @Test func eventsAreBoundedInBytesToo() {
    var queue = queue()
    var count = 0
    while queue.add(draft("e", bytes: 256 << 10)) { count += 1 }
    #expect(count == HostedQueue.maximumBytes / (256 << 10))
    var largest = 0
    while case .events(let drafts, _)? = queue.next() {
      largest = max(largest, drafts.reduce(0) { $0 + $1.payload.count })
      queue.written()
    }
    #expect(largest <= 1 << 20 && queue.isEmpty)
  }

  @Test func theWaitDoublesUpToEightSeconds() {
    var patience = Patience()
    #expect(patience.failed(jitter: 0) == .milliseconds(250))
    #expect(patience.failed(jitter: 1) == .milliseconds(750))
    for _ in 0..<100 { _ = patience.failed(jitter: 0) }
    #expect(patience.failed(jitter: 1) == .seconds(12))
    patience.succeeded()
    #expect(patience.failures == 0)
  }
}
