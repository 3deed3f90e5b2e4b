import ResolveKitCore
import StreamTransport
import TestSupport
import Testing

@testable import ResolveKitSession

@Suite(.timeLimit(.minutes(10)))
struct ProgressRelayTests {
  private func step(_ number: Int) -> ResolveKitToolProgress {
    ResolveKitToolProgress(fraction: Double(number) / 100_000, message: "step \(number)")
  }

  @Test func theFirstReportIsPassedAtOnceAndThenTheNewestAfterEachPause() async {
    let clock = ManualClock()
    let (passed, sink) = AsyncStream.makeStream(of: ResolveKitToolProgress.self)
    var reader = passed.makeAsyncIterator()
    let relay = ProgressRelay(clock: TransportClock(clock)) { sink.yield($0) }
    relay.report(step(0))
    #expect(await reader.next() == step(0))
    await clock.waitForSleep(of: ProgressRelay.pause)
    for number in 1...100_000 { relay.report(step(number)) }
    clock.advance(by: ProgressRelay.pause)
    #expect(await reader.next() == step(100_000))
    await clock.waitForSleep(of: ProgressRelay.pause)
    clock.advance(by: ProgressRelay.pause)
    sink.finish()
    #expect(await reader.next() == nil)
  }

  @Test func nothingIsPassedAfterTheEnd() async {
    let clock = ManualClock()
    let (passed, sink) = AsyncStream.makeStream(of: ResolveKitToolProgress.self)
    var reader = passed.makeAsyncIterator()
    let relay = ProgressRelay(clock: TransportClock(clock)) { sink.yield($0) }
    relay.report(step(1))
    #expect(await reader.next() == step(1))
    await clock.waitForSleep(of: ProgressRelay.pause)
    relay.report(step(2))
    relay.finish()
    relay.report(step(3))
    clock.advance(by: ProgressRelay.pause)
    sink.finish()
    #expect(await reader.next() == nil)
  }

  @Test func aToolReportsFromItsTaskAndItsChildTasks() async {
    let clock = TransportClock(InstantClock())
    let (passed, sink) = AsyncStream.makeStream(of: ResolveKitToolProgress.self)
    var reader = passed.makeAsyncIterator()
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let run = ToolRun(clock: clock, onProgress: { sink.yield($0) }, onReturn: { _ in }) {
      async let child: Void = ResolveKitToolProgress.report(fraction: 0.25, message: "child")
      await child
      for await _ in gate { break }
      return nil
    }
    #expect(await reader.next() == ResolveKitToolProgress(fraction: 0.25, message: "child"))
    open.yield()
    run.cancel()
    // Outside of a tool it goes nowhere.
    ResolveKitToolProgress.report(message: "nobody")
  }
}
