import Synchronization
import Testing

@testable import StreamTransport

@Suite struct LoopQueueTests {
  @Test func theLoopIsWokenOnceForAllThatComesBeforeItTakes() {
    let queue = LoopQueue()
    #expect(queue.append(.body {}))
    #expect(!queue.append(.body {}))
    #expect(queue.status.hasWork)
    var room: [LoopQueue.Work] = []
    var count = 0
    let didRun = queue.take(&room) { _ in count += 1 }
    #expect(didRun && count == 2)
    #expect(!queue.status.hasWork)
    let isEmpty = !queue.take(&room) { _ in count += 1 }
    #expect(isEmpty && count == 2)
    #expect(queue.append(.body {}))
  }

  @Test func whatWorkLeadsToWaitsForTheNextTaking() {
    let queue = LoopQueue()
    _ = queue.append(.body {})
    var room: [LoopQueue.Work] = []
    _ = queue.take(&room) { _ in
      let wakes = queue.append(.body {})
      #expect(wakes)
    }
    #expect(room.isEmpty)
    #expect(queue.status.hasWork)
  }

  @Test func nothingIsHeldWhenItWasRun() {
    final class Held: Sendable {}
    let queue = LoopQueue()
    var room: [LoopQueue.Work] = []
    weak var held: Held?
    do {
      let object = Held()
      held = object
      _ = queue.append(.body { withExtendedLifetime(object) {} })
    }
    #expect(held != nil)
    _ = queue.take(&room) { _ in }
    #expect(held == nil)
  }
}
