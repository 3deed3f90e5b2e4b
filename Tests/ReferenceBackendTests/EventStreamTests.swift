import EventStream
import HTTPTypes
import Hummingbird
import ReferenceBackend
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct EventStreamTests {
  /// Streams that join at any moment and any cursor of a running turn get exactly the rest of it.
  @Test func replayAndLiveMeetWithoutGapOrRepetition() async throws {
    let words = (0..<400).map { "\($0) " }
    let harness = try await Harness(
      model: ScriptedModel([
        { _, output in
          for word in words {
            try await output(.text(word))
            await Task.yield()
          }
        }
      ]), clock: ContinuousClock())
    let session = try await harness.openSession()
    try await session.say("x", requestID: "r")
    let whole = try await withThrowingTaskGroup(of: [TestEvent].self) { group in
      for reader in 0..<24 {
        group.addTask {
          var stream = try await session.stream()
          var events: [TestEvent] = []
          while let event = try await stream.nextEvent() {
            events.append(event)
            if event.isTerminal { break }
            // Leaves and comes back at its cursor, each reader at other places.
            if events.count % (reader * 7 + 11) == 0 { stream = try await session.stream(after: event.id) }
          }
          return events
        }
      }
      var first: [TestEvent]?
      for try await events in group {
        #expect(events == first ?? events)
        first = first ?? events
      }
      return try #require(first)
    }
    #expect(whole.count == words.count + 1)
    #expect(whole.text == words.joined())
    #expect(whole.last?.payload["full_text"]?.stringValue == words.joined())
  }

  @Test func aCommentComesFirstAndKeepAlivesInBetween() async throws {
    let clock = SteppedClock()
    let settings = BackendSettings(keepAlive: .seconds(15), streamLifetime: .seconds(40))
    let harness = try await Harness(settings: settings, clock: clock)
    let session = try await harness.openSession()
    var reader = try await session.stream()
    #expect(await reader.nextItem() == .comment("connected"))
    // Both timers must run before the clock moves, or the second would count from later on.
    await clock.waitForSleeper(until: .seconds(40))
    for beat in 1...2 {
      await clock.waitForSleeper(until: .seconds(15 * beat))
      clock.advance(by: .seconds(15))
      let item = await reader.nextItem()
      guard case .comment(let text) = item else {
        Issue.record("no comment but \(String(describing: item))")
        return
      }
      #expect(text.contains("keep-alive"))
    }
    clock.advance(by: .seconds(10))
    #expect(await reader.nextItem() == nil)
    await reader.waitForEnd()
    #expect(harness.core.streamCount == 0)
  }

  @Test func streamsEndWhenTheBackendDrains() async throws {
    let harness = try await Harness()
    let session = try await harness.openSession()
    var readers = [try await session.stream(), try await session.stream()]
    for index in readers.indices { _ = await readers[index].nextItem() }
    harness.core.endStreams()
    for index in readers.indices { #expect(await readers[index].nextItem() == nil) }
  }

  @Test func aSessionHasNoMoreStreamsThanAllowed() async throws {
    let harness = try await Harness(settings: BackendSettings(streamsPerSession: 2))
    let session = try await harness.openSession()
    let readers = [try await session.stream(), try await session.stream()]
    let answer = try await harness.call(.get, session.path("events"), token: session.token)
    #expect(answer.status == 429)
    #expect(readers.count == 2)
  }

  /// The turn runs to its end while the reader takes nothing, and the reader is given no more than a page at once.
  @Test func aSlowReaderHoldsUpNobody() async throws {
    let word = String(repeating: "x", count: 1_000)
    let harness = try await Harness(model: ScriptedModel(words: Array(repeating: word, count: 80)))
    let session = try await harness.openSession()
    let response = try await harness.respond(.get, session.path("events"), token: session.token)
    let gate = Gate()
    let sizes = Mutex<[Int]>([])
    let text = Mutex<[UInt8]>([])
    let reading = Task {
      try await response.body.write(
        SlowBodyWriter(gate: gate) { bytes in
          sizes.withLock { $0.append(bytes.count) }
          text.withLock { $0 += bytes }
        })
    }
    try await session.say("x", requestID: "r")
    await harness.core.turns.waitUntilIdle()
    #expect(try await session.history().last?.content.utf8.count == 80_000)
    gate.open()
    harness.core.endStreams()
    try await reading.value
    var parser = EventStreamParser()
    let events = try parser.parse(text.withLock { $0 }).filter { if case .event = $0 { true } else { false } }
    #expect(events.count == 81)
    // A page, and the event that fills it.
    #expect(sizes.withLock { $0.max() ?? 0 } < LogPage.byteLimit + 100_000)
  }

  /// A client whose window is closed takes not even the end.
  @Test func aStreamThatIsNotTakenEndsAllTheSame() async throws {
    let clock = SteppedClock()
    let harness = try await Harness(settings: BackendSettings(streamLifetime: .seconds(40)), clock: clock)
    let session = try await harness.openSession()
    let response = try await harness.respond(.get, session.path("events"), token: session.token)
    let writing = Task { try await response.body.write(StuckBodyWriter()) }
    await clock.waitForSleeper(until: .seconds(40))
    clock.advance(by: .seconds(40))
    await clock.waitForSleeper(until: .seconds(45))
    clock.advance(by: .seconds(5))
    await #expect(throws: (any Error).self) { try await writing.value }
    #expect(harness.core.streamCount == 0)
  }

  /// What slow streams hold together is bounded; a stream that is ended for it is resumed like any other.
  @Test func aStreamThatHoldsTooMuchForAllIsEnded() async throws {
    let word = String(repeating: "x", count: 1_000)
    let clock = SteppedClock()
    let harness = try await Harness(
      model: ScriptedModel(words: Array(repeating: word, count: 80)),
      settings: BackendSettings(streamBytes: 400 << 10), clock: clock)
    let session = try await harness.openSession()
    try await session.say("x", requestID: "r")
    await harness.core.turns.waitUntilIdle()
    let response = try await harness.respond(.get, session.path("events"), token: session.token)
    let writing = Task { try await response.body.write(StuckBodyWriter()) }
    await clock.waitForSleeper(until: .seconds(5))
    clock.advance(by: .seconds(5))
    await #expect(throws: (any Error).self) { try await writing.value }
    #expect(harness.core.streamCount == 0)
  }

  /// A response that nobody writes must not hold its place.
  @Test func anUnwrittenStreamLeavesTheFeed() async throws {
    let harness = try await Harness()
    let session = try await harness.openSession()
    do {
      let response = try await harness.respond(.get, session.path("events"), token: session.token)
      #expect(response.status == .ok)
      #expect(harness.core.streamCount == 1)
    }
    #expect(harness.core.streamCount == 0)
  }
}
