import Testing

@testable import StreamTransport

/// The wait for the last exchange ends with it, with the time limit, or with the close, whichever comes first.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct ServerDrainTests {
  @MainActor
  private final class Owner {
    var drain = ServerDrain()
    var isIdle = false

    init() {}

    func wait() async { await withCheckedContinuation { drain.wait($0, isIdle: isIdle) } }
  }

  /// Begins a wait, has `end` happen once it waits, and returns when the wait is over.
  private func waits(until end: @MainActor (Owner) -> Void) async {
    let owner = Owner()
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      begin.finish()
      await owner.wait()
    }
    for await _ in begun {}
    end(owner)
    await task.value
  }

  @Test func theLastExchangeEndsTheWait() async {
    await waits {
      $0.isIdle = true
      $0.drain.becameIdle()
    }
  }

  @Test func theTimeLimitEndsTheWait() async { await waits { $0.drain.timePassed() } }

  @Test func theCloseEndsTheWait() async {
    await waits {
      #expect(!$0.drain.isClosed)
      #expect($0.drain.close() == true)
    }
  }

  @Test func aWaitThatComesLateIsNone() async {
    let owner = Owner()
    owner.isIdle = true
    await owner.wait()
    owner.isIdle = false
    owner.drain.timePassed()
    await owner.wait()
    #expect(!owner.drain.isClosed)
  }

  @Test func aServerIsClosedOnce() async {
    let owner = Owner()
    #expect(owner.drain.close() == true)
    #expect(owner.drain.close() == false)
    owner.drain.timePassed()
    #expect(owner.drain.isClosed)
    await owner.wait()
  }
}
