import EventLedger
import Glibc
import ResolveKitCore
import TestSupport
import Testing

@testable import CodexCompanion

/// Events are mirrored once and in order, and some never.
@Suite(.timeLimit(.minutes(5)))
struct MirrorOutboxTests {
  private let mirror: MirrorUnderTest

  init() throws { mirror = try MirrorUnderTest() }

  /// Runs an outbox until a condition holds.
  private func run(_ outbox: MirrorOutbox, until isSo: () async -> Bool) async throws {
    let task = Task { try await outbox.run() }
    await until { await isSo() }
    task.cancel()
    _ = await task.result
  }

  private func texts() -> [String] {
    mirror.posts.compactMap { $0.payload["params"]?.objectValue?["delta"]?.stringValue }
  }

  @Test func nothingIsMirroredWithoutConsent() async throws {
    try await mirror.write("shown", 3)
    let store = try mirror.store()
    let outbox = mirror.outbox(store)
    await outbox.note("shown")
    try await run(outbox) { await store.book.cursor(of: "shown") == 3 }
    #expect(mirror.attempts == 0)
  }

  @Test func eventsOfAWorkspaceThatIsSwitchedOnComeOnceAndInOrder() async throws {
    try mirror.switchOn()
    try await mirror.write("shown", 150)
    try await mirror.write("other", 2)
    let store = try mirror.store()
    let outbox = mirror.outbox(store)
    await outbox.note("shown")
    await outbox.note("other")
    try await run(outbox) {
      let book = await store.book
      return book.cursor(of: "shown") == 150 && book.cursor(of: "other") == 2
    }
    #expect(texts() == (1...150).map { "shown \($0)" })
    #expect(Set(mirror.posts.compactMap(\.key)).count == 150)
    #expect(mirror.posts.first?.payload["method"] == "item/agentMessage/delta")
    #expect(mirror.posts.first?.payload["thread_seq"] == 1)
  }

  @Test func aKilledCompanionContinuesWhereItsBookEnds() async throws {
    try mirror.switchOn()
    try await mirror.write("shown", 5)
    do {
      let store = try mirror.store()
      let outbox = mirror.outbox(store)
      await outbox.note("shown")
      try await run(outbox) { await store.book.cursor(of: "shown") == 5 }
      await store.save()
    }
    try await mirror.write("shown", 2, from: 6)
    let store = try mirror.store()
    let outbox = mirror.outbox(store)
    await outbox.note("shown")
    try await run(outbox) { await store.book.cursor(of: "shown") == 7 }
    #expect(texts() == (1...7).map { "shown \($0)" })
  }

  @Test func aRepetitionAfterAKillHasTheSameKeyAndBytes() async throws {
    try mirror.switchOn()
    try await mirror.write("shown", 2)
    for name in ["one.json", "two.json"] {
      // The second book knows nothing of what the first one had posted.
      let store = try mirror.store(name)
      let outbox = mirror.outbox(store)
      await outbox.note("shown")
      try await run(outbox) { await store.book.cursor(of: "shown") == 2 }
    }
    #expect(mirror.posts.count == 4)
    #expect(mirror.posts.prefix(2) == mirror.posts.suffix(2))
  }

  @Test func whatHappenedBeforeTheSwitchIsNotMirrored() async throws {
    try await mirror.write("shown", 4)
    try mirror.switchOn(since: .current)
    let store = try mirror.store()
    let outbox = mirror.outbox(store)
    await outbox.note("shown")
    try await run(outbox) { await store.book.cursor(of: "shown") == 4 }
    #expect(mirror.attempts == 0)
  }

  @Test func aHiddenProjectIsNeverMirrored() async throws {
    try mirror.switchOn()
    _ = try await mirror.directory.entries()
    try await mirror.catalog.set("/work/shown", isHidden: true)
    try await mirror.write("shown", 2)
    let store = try mirror.store()
    let outbox = mirror.outbox(store)
    await outbox.note("shown")
    try await run(outbox) { await store.book.cursor(of: "shown") == 2 }
    #expect(mirror.attempts == 0)
  }

  @Test func eventsWaitWhileThePolicyCannotBeRead() async throws {
    try mirror.switchOn()
    try await mirror.write("shown", 3)
    let store = try mirror.store()
    let clock = ManualClock()
    let outbox = mirror.outbox(store, clock: clock)
    // Open to other users, so nobody knows who wrote it.
    #expect(chmod(mirror.folder.file("policy.json"), 0o644) == 0)
    await outbox.note("shown")
    let task = Task { try await outbox.run() }
    for _ in 1...10 {
      await clock.waitForSleep(of: .seconds(1))
      clock.advance(by: .seconds(1))
    }
    await clock.waitForSleep(of: .seconds(1))
    #expect(await store.book.cursor(of: "shown") == nil)
    #expect(mirror.attempts == 0)
    #expect(chmod(mirror.folder.file("policy.json"), 0o600) == 0)
    clock.advance(by: .seconds(1))
    await until { await store.book.cursor(of: "shown") == 3 }
    task.cancel()
    _ = await task.result
    #expect(texts() == ["shown 1", "shown 2", "shown 3"])
  }

  @Test func anOutageIsWaitedOutWithTheSameEvent() async throws {
    try mirror.switchOn()
    try await mirror.write("shown", 3)
    mirror.refuse(503, times: 4)
    mirror.refuse(429)
    mirror.refuse(401)
    let store = try mirror.store()
    let outbox = mirror.outbox(store)
    await outbox.note("shown")
    try await run(outbox) { await store.book.cursor(of: "shown") == 3 }
    #expect(texts() == ["shown 1", "shown 2", "shown 3"])
    #expect(mirror.attempts == 9)
  }

  @Test func aStoppedWorkerGetsNothingUntilItIsTakenUpAgain() async throws {
    try mirror.switchOn()
    try await mirror.write("shown", 2)
    mirror.refuse(409, #"{"error":{"code":"conflict","message":"worker is stopped; create or reattach to resume"}}"#)
    let store = try mirror.store()
    let outbox = mirror.outbox(store)
    await outbox.note("shown")
    let task = Task { try await outbox.run() }
    await until { await !mirror.gate.isRunning }
    #expect(mirror.posts.isEmpty)
    await mirror.gate.set(isRunning: true)
    await until { mirror.posts.count == 2 }
    task.cancel()
    _ = await task.result
    #expect(texts() == ["shown 1", "shown 2"])
  }

  @Test func whatWasDroppedBeforeItCouldBeMirroredIsReported() async throws {
    try mirror.switchOn()
    try await mirror.write("shown", 6)
    try await mirror.ledger.trim(ChatLog.stream(of: "shown"), through: 4)
    let store = try mirror.store()
    let outbox = mirror.outbox(store)
    await outbox.note("shown")
    try await run(outbox) { await store.book.cursor(of: "shown") == 6 }
    #expect(mirror.posts.first?.payload["method"] == "companion/mirror_gap")
    #expect(mirror.posts.first?.payload["last_thread_seq"] == 4)
    #expect(texts() == ["shown 5", "shown 6"])
  }
}
