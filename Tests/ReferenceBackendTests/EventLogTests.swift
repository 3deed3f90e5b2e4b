import EventLedger
import ReferenceBackend
import ResolveKitCore
import Testing

/// Both logs are the same log to a client.
@Suite(.timeLimit(.minutes(10)))
struct EventLogTests {
  enum Kind: String, CaseIterable, Sendable {
    case memory
    case sqlite

    func makeLog() throws -> any EventLog {
      switch self {
      case .memory: InMemoryEventLog()
      case .sqlite: SQLiteEventLog(try BackendDatabase(path: nil).writer)
      }
    }
  }

  private func draft(
    _ payload: EventPayload, session: String = "s", turn: String = "t", at second: Int64 = 0
  ) -> EventDraft {
    EventDraft(
      sessionID: session, turnID: turn, requestID: "r", time: WallTime(microseconds: second * 1_000_000),
      payload: payload)
  }

  private func deltas(
    _ words: [String], session: String = "s", turn: String = "t", at second: Int64 = 0
  )
    -> [EventDraft]
  {
    var text = ""
    return words.map { word in
      text += word
      return draft(.assistantTextDelta(delta: word, accumulated: text), session: session, turn: turn, at: second)
    }
  }

  @Test(arguments: Kind.allCases)
  func idsGrowOverAllSessions(_ kind: Kind) async throws {
    let log = try kind.makeLog()
    let first = try await log.append(deltas(["a"], session: "one"))
    let second = try await log.append(deltas(["b", "c"], session: "two"))
    let third = try await log.append(deltas(["d"], session: "one"))
    let ids = (first + second + third).map(\.id)
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == 4)
  }

  @Test(arguments: Kind.allCases)
  func replayIsStrictlyAfterTheCursorAndEqualToWhatWasAppended(_ kind: Kind) async throws {
    let log = try kind.makeLog()
    let appended = try await log.append(
      deltas(["Schö", "n, ", "“a”", "\n"]) + [draft(.turnComplete(fullText: "Schön, “a”\n", usage: nil))])
    _ = try await log.append(deltas(["x"], session: "other"))
    for (index, event) in appended.enumerated() {
      let rest = try await log.events(of: "s", after: event.id, limit: 100)
      #expect(rest == Array(appended[(index + 1)...]))
    }
    let paged = try await log.events(of: "s", after: .beginning, limit: 2)
    #expect(paged == Array(appended.prefix(2)))
  }

  @Test(arguments: Kind.allCases)
  func pruningRaisesTheFloorAndKeepsRunningTurns(_ kind: Kind) async throws {
    let log = try kind.makeLog()
    let old = try await log.append(deltas(["a", "b"], turn: "old", at: 1))
    let running = try await log.append(deltas(["c"], turn: "running", at: 1))
    let new = try await log.append(deltas(["d"], turn: "new", at: 9))
    let dropped = try await log.prune(before: WallTime(microseconds: 5_000_000), keepingTurns: ["running"])
    #expect(dropped == 2)
    let extent = try await log.extent(of: "s")
    #expect(extent.floor == old.last?.id)
    #expect(extent.last == new.last?.id)
    let rest = try await log.events(of: "s", after: extent.floor, limit: 10)
    #expect(rest == running + new)
    #expect(try await log.extent(of: "other").floor == .beginning)
  }

  @Test(arguments: Kind.allCases)
  func theLastEventOfATurnIsFound(_ kind: Kind) async throws {
    let log = try kind.makeLog()
    let events = try await log.append(deltas(["a", "b"], turn: "t1") + deltas(["c"], turn: "t2"))
    #expect(try await log.lastEvent(ofTurn: "t1") == events[1])
    #expect(try await log.lastEvent(ofTurn: "unknown") == nil)
  }

  /// A copy of the files of an open database is what a crash would leave.
  @Test func idsGoOnAfterACrashEvenWhenAllEventsArePruned() async throws {
    let folder = try TemporaryFolder()
    let original = try BackendDatabase(path: folder.path("a.sqlite"))
    let log = SQLiteEventLog(original.writer)
    let first = try await log.append(deltas(["a", "b", "c"]))
    _ = try await log.prune(before: WallTime(microseconds: .max), keepingTurns: [])
    let kept = try await log.append(deltas(["d"], turn: "t2"))
    let reopened = SQLiteEventLog(try BackendDatabase(path: try folder.crashed("a.sqlite")).writer)
    #expect(try await reopened.events(of: "s", after: .beginning, limit: 10) == kept)
    let next = try await reopened.append(deltas(["e"], turn: "t3"))
    let highest = try #require((first + kept).map(\.id).max())
    #expect(try #require(next.first).id > highest)
    try original.close()
  }

  @Test func aDatabaseHasOneBackend() throws {
    let folder = try TemporaryFolder()
    let first = try BackendDatabase(path: folder.path("a.sqlite"))
    let error = #expect(throws: BackendError.self) { try BackendDatabase(path: folder.path("a.sqlite")) }
    #expect(error?.code == .database)
    try first.close()
    try BackendDatabase(path: folder.path("a.sqlite")).close()
  }

  @Test func appendsOfManyTurnsKeepTheirOrder() async throws {
    let log = try Kind.sqlite.makeLog()
    await withTaskGroup(of: Void.self) { group in
      for turn in 0..<20 {
        group.addTask {
          var text = ""
          for word in 0..<25 {
            text += "\(word) "
            let draft = self.draft(
              .assistantTextDelta(delta: "\(word) ", accumulated: text), session: "s\(turn)", turn: "t\(turn)")
            _ = try? await log.append([draft])
          }
        }
      }
    }
    for turn in 0..<20 {
      let events = try await log.events(of: "s\(turn)", after: .beginning, limit: 100)
      let expected = (0..<25).map { "\($0) " }
      #expect(events.compactMap { $0.payload.objectValue?["delta"]?.stringValue } == expected)
      #expect(events.last?.payload.objectValue?["accumulated"]?.stringValue == expected.joined())
    }
  }

  /// A client that leaves cancels what its stream reads just then. Where that broke the read off, one of some ten thousand
  /// made a write fail.
  @Test(arguments: Kind.allCases)
  func readersThatLeaveDisturbNoWriter(_ kind: Kind) async throws {
    let log = try kind.makeLog()
    let readers = Task {
      while !Task.isCancelled {
        let reader = Task { try await log.events(of: "s", after: .beginning, limit: 5) }
        for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
        reader.cancel()
        _ = await reader.result
      }
    }
    for number in 0..<10_000 { _ = try await log.append(deltas(["\(number)"], turn: "\(number)")) }
    readers.cancel()
    await readers.value
  }
}
