import ResolveKitCore
import Testing

@testable import ResolveKitSession

/// The tables of a driver's tasks and events.
@Suite(.timeLimit(.minutes(10)))
struct DriverTaskTests {
  /// A task that ends when it is cancelled.
  private func endless() -> Task<Void, Never> {
    Task { for await _ in AsyncStream<Void>.makeStream().stream {} }
  }

  @Test func aDeadlineHasOneTimer() async {
    var timers = DeadlineTimers()
    let (first, second) = (endless(), endless())
    timers.set(.batchWindow(batchID: 1), first)
    timers.set(.batchWindow(batchID: 1), second)
    await first.value
    #expect(!second.isCancelled)
    timers.cancel(.batchWindow(batchID: 2))
    #expect(!second.isCancelled)
    timers.cancelAll()
    await second.value
    #expect(second.isCancelled)
  }

  @Test func aTimerThatWasCancelledOnTheWayEndsNothing() async {
    let cancelled = Task { () -> Bool in
      withUnsafeCurrentTask { $0?.cancel() }
      var timers = DeadlineTimers()
      return timers.end(of: .batchWindow(batchID: 1))
    }
    #expect(await cancelled.value == false)
    var timers = DeadlineTimers()
    let hasPassed = timers.end(of: .batchWindow(batchID: 1))
    #expect(hasPassed)
  }

  @Test func aCallThatHasEndedIsNotCancelled() async {
    var calls = PendingCalls()
    let (first, second) = (endless(), endless())
    var ids: [Int] = []
    for task in [first, second] {
      calls.start { id in
        ids.append(id)
        return task
      }
    }
    #expect(ids == [1, 2])
    calls.end(1)
    calls.cancelAll()
    await second.value
    #expect(!first.isCancelled && second.isCancelled)
    first.cancel()
  }

  @Test func anEventOfAnActionWaitsForTheActionsBeforeIt() {
    var inbox = EventInbox()
    let entered = [inbox.enter(.registered), inbox.enter(.stopRequested)]
    #expect(entered == [true, false])
    let events = [inbox.next(), inbox.next(), inbox.next()]
    #expect(events == [.registered, .stopRequested, nil])
    let isHandler = inbox.enter(.registered)
    #expect(isHandler, "what was entered before is handled")
  }
}
