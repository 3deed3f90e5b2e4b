import StreamTransport
import TestSupport
import Testing

@testable import ResolveKitUI

@Suite(.timeLimit(.minutes(1)))
struct ToolRunTests {
  @Test func valueIsReturned() async {
    let outcome = await ToolRun<Int>().outcome(within: .seconds(60), clock: .continuous) { 7 }
    guard case .finished(7) = outcome else {
      Issue.record("\(outcome)")
      return
    }
  }

  @Test func toolThatIgnoresCancellationIsGivenUpOnTime() async {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let (late, lateResult) = AsyncStream.makeStream(of: Void.self)
    let run = ToolRun<Int> { lateResult.yield() }
    let outcome = await run.outcome(within: .seconds(1), clock: TransportClock(InstantClock())) {
      // A task of its own does not hear of the cancellation.
      await Task { for await _ in gate { break } }.value
      return 7
    }
    guard case .timedOut = outcome else {
      Issue.record("\(outcome)")
      return
    }
    open.yield()
    for await _ in late { break }
  }

  @Test func cancelledCallerGetsControlBack() async {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let caller = Task {
      await ToolRun<Int>().outcome(within: nil, clock: .continuous) {
        start.yield()
        await Task { for await _ in gate { break } }.value
        return 7
      }
    }
    for await _ in started { break }
    caller.cancel()
    guard case .cancelled = await caller.value else {
      Issue.record("The outcome was not 'cancelled'.")
      return
    }
    open.yield()
  }
}
