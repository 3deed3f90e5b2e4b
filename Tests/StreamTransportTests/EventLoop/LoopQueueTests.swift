import Synchronization
import Testing

@testable import StreamTransport

@Suite struct LoopQueueTests {
  private static func take(_ queue: LoopQueue, _ body: (LoopQueue.Work) -> Void = { _ in }) -> Bool {
    var room: [LoopQueue.Work] = []
    return queue.take(&room, body)
  }

  @Test func theLoopIsWokenOnceForAllThatComesWhileItWaits() {
    let queue = LoopQueue()
    #expect(!queue.rest(isBusy: false).hasWork)
    #expect(queue.append(.body {}))
    #expect(!queue.append(.body {}))
    queue.awake()
    var count = 0
    #expect(Self.take(queue) { _ in count += 1 })
    #expect(count == 2)
    #expect(!Self.take(queue))
    _ = queue.rest(isBusy: false)
    #expect(queue.append(.body {}))
  }

  @Test func aLoopThatIsAwakeIsNotWoken() {
    let queue = LoopQueue()
    #expect(!queue.append(.body {}))
    // What came before it would have waited keeps it from that.
    #expect(queue.rest(isBusy: false).hasWork)
    #expect(!queue.append(.body {}))
    #expect(Self.take(queue))
    #expect(!queue.rest(isBusy: true).hasWork)
    #expect(!queue.append(.body {}))
    #expect(Self.take(queue))
    _ = queue.rest(isBusy: false)
    queue.awake()
    #expect(!queue.append(.body {}))
  }

  @Test func whatWorkLeadsToWaitsForTheNextTaking() {
    let queue = LoopQueue()
    _ = queue.append(.body {})
    var room: [LoopQueue.Work] = []
    _ = queue.take(&room) { _ in _ = queue.append(.body {}) }
    #expect(room.isEmpty)
    #expect(queue.rest(isBusy: false).hasWork)
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
