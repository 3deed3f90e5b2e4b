import EventLedger
import ReferenceBackend
import ResolveKitCore
import TestSupport
import Testing

/// The log is the same to a client, whatever it is stored in.
@Suite(.timeLimit(.minutes(10)))
struct EventLogTests {
  private func deltas(_ words: [String]) -> [EventPayload] {
    var text = ""
    return words.map { word in
      text += word
      return .assistantTextDelta(delta: word, accumulated: text)
    }
  }

  @Test(arguments: LogUnderTest.Kind.allCases)
  func idsGrowInEachSession(_ kind: LogUnderTest.Kind) async throws {
    let log = try await LogUnderTest.make(kind)
    let first = try await log.append(deltas(["a"]), session: "one")
    let second = try await log.append(deltas(["b", "c"]), session: "two")
    let third = try await log.append(deltas(["d"]), session: "one")
    #expect([first, second, third].map { $0?.number } == [1, 2, 2])
  }

  @Test(arguments: LogUnderTest.Kind.allCases)
  func replayIsStrictlyAfterTheCursorAndEqualToWhatWasAppended(_ kind: LogUnderTest.Kind) async throws {
    let log = try await LogUnderTest.make(kind)
    let payloads = deltas(["Schö", "n, ", "“a”", "\n"]) + [.turnComplete(fullText: "Schön, “a”\n", usage: nil)]
    try await log.append(payloads)
    try await log.append(deltas(["x"]), session: "other")
    let all = try await log.log.events(of: "s", after: .beginning, limit: 100)
    #expect(all.map(\.payloadText) == payloads.map(\.jsonText) && all.map(\.type) == payloads.map(\.type))
    #expect(all.allSatisfy { $0.sessionID == "s" && $0.turnID == "t" && $0.requestID == "r" })
    for (index, event) in all.enumerated() {
      // The text so far is summed up again wherever a reader begins.
      let rest = try await log.log.events(of: "s", after: event.id, limit: 100)
      #expect(rest == Array(all[(index + 1)...]))
    }
    #expect(try await log.log.events(of: "s", after: .beginning, limit: 2) == Array(all.prefix(2)))
  }

  @Test(arguments: LogUnderTest.Kind.allCases)
  func anAppendUnderAKeyIsMadeOnce(_ kind: LogUnderTest.Kind) async throws {
    let log = try await LogUnderTest.make(kind)
    let words = (0..<1_200).map { "\($0) " }
    for _ in 0..<2 { #expect(try await log.append(deltas(words), key: "k")?.number == 1_200) }
    #expect(try await log.log.extent(of: "s").last.number == 1_200)
  }

  /// A row of a session's log, old or not, and what of the log goes.
  struct Cut: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// `turn:type`, with a `+` before the first that is young.
    var events: [String]
    var running: String?
    var dropped: Int
  }

  @Test(arguments: [
    Cut(testDescription: "whole turns", events: ["a:d", "a:e", "b:d", "+b:e"], running: nil, dropped: 2),
    Cut(testDescription: "all", events: ["a:d", "a:e", "b:d", "b:e"], running: nil, dropped: 4),
    Cut(testDescription: "a running turn", events: ["a:d", "a:e", "b:d"], running: "b", dropped: 2),
    Cut(testDescription: "a silent end, then another", events: ["a:d", "+b:d"], running: "b", dropped: 1),
    Cut(testDescription: "a silent end, and nothing", events: ["a:d", "a:d"], running: nil, dropped: 2),
    Cut(testDescription: "a person between", events: ["a:d", "p:h", "a:d", "+a:e"], running: nil, dropped: 0),
    Cut(testDescription: "a person at the edge", events: ["a:d", "+p:h", "a:d", "a:e"], running: nil, dropped: 0),
    Cut(testDescription: "people alone", events: ["p:h", "q:h", "+r:h"], running: nil, dropped: 2),
    Cut(testDescription: "nothing", events: [], running: nil, dropped: 0),
  ])
  func pruningKeepsTurnsWholeAndThoseThatRun(_ cut: Cut) async throws {
    for kind in LogUnderTest.Kind.allCases {
      let log = try await LogUnderTest.make(kind)
      for event in cut.events {
        if event.hasPrefix("+") { try await log.advance(by: .seconds(10)) }
        let parts = event.drop { $0 == "+" }.split(separator: ":")
        let payload: EventPayload =
          switch parts[1] {
          case "d": .assistantTextDelta(delta: "x", accumulated: "x")
          case "h": .humanMessage(id: "1", text: "x")
          default: .turnComplete(fullText: "x", usage: nil)
          }
        try await log.append([payload], turn: String(parts[0]))
      }
      let young = cut.events.contains { $0.hasPrefix("+") } ? Duration.seconds(5) : .seconds(1)
      let border = log.start + young
      #expect(try await log.log.prune("s", before: border, keeping: cut.running) == cut.dropped, "\(kind)")
      let extent = try await log.log.extent(of: "s")
      #expect(extent.floor.number == Int64(cut.dropped) && extent.last.number == Int64(cut.events.count))
      let left = try await log.log.events(of: "s", after: .beginning, limit: 10)
      #expect(left.map(\.turnID) == cut.events.dropFirst(cut.dropped).map { String($0.drop { $0 == "+" }.prefix(1)) })
    }
  }

  @Test(arguments: LogUnderTest.Kind.allCases)
  func theLastEventOfATurnIsFound(_ kind: LogUnderTest.Kind) async throws {
    let log = try await LogUnderTest.make(kind)
    try await log.append(deltas(["a", "b"]), turn: "t1")
    for number in 0..<40 { try await log.append([.humanMessage(id: "\(number)", text: "x")], turn: "p\(number)") }
    try await log.append(deltas(["c"]), turn: "t2")
    let last = try await log.log.lastEvent(ofTurn: "t1", in: "s", after: .beginning)
    #expect(last?.id.number == 2 && last?.payload.objectValue?["accumulated"] == "ab")
    #expect(try await log.log.lastEvent(ofTurn: "unknown", in: "s", after: .beginning) == nil)
    #expect(try await log.log.lastEvent(ofTurn: "t1", in: "nowhere", after: .beginning) == nil)
  }

  /// A copy of the files of an open database is what a crash would leave.
  @Test func idsContinueAfterACrashEvenWhenAllEventsArePruned() async throws {
    let folder = try TemporaryFolder()
    let original = try BackendDatabase(path: folder.path("a.sqlite"))
    let log = try LogUnderTest(original)
    try await log.append(deltas(["a", "b", "c"]))
    _ = try await log.log.prune("s", before: WallTime(microseconds: .max), keeping: nil)
    try await log.append(deltas(["d"]), turn: "t2")
    let kept = try await log.log.events(of: "s", after: .beginning, limit: 10)
    let reopened = try LogUnderTest(try BackendDatabase(path: try folder.crashed("a.sqlite")))
    #expect(try await reopened.log.events(of: "s", after: .beginning, limit: 10) == kept)
    #expect(try await reopened.append(deltas(["e"]), turn: "t3")?.number == 5)
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
    let log = try await LogUnderTest.make(.memory)
    await withTaskGroup(of: Void.self) { group in
      for turn in 0..<20 {
        group.addTask {
          var text = ""
          for word in 0..<25 {
            text += "\(word) "
            let payload = EventPayload.assistantTextDelta(delta: "\(word) ", accumulated: text)
            _ = try? await log.append([payload], session: "s\(turn)", turn: "t\(turn)")
          }
        }
      }
    }
    for turn in 0..<20 {
      let events = try await log.log.events(of: "s\(turn)", after: .beginning, limit: 100)
      let expected = (0..<25).map { "\($0) " }
      #expect(events.compactMap { $0.payload.objectValue?["delta"]?.stringValue } == expected)
      #expect(events.last?.payload.objectValue?["accumulated"]?.stringValue == expected.joined())
    }
  }

  /// A client that leaves cancels what its stream reads just then. Where that broke the read off, one of some ten thousand
  /// made a write fail.
  @Test func readersThatLeaveDisturbNoWriter() async throws {
    let log = try await LogUnderTest.make(.memory)
    let readers = Task {
      while !Task.isCancelled {
        let reader = Task { try await log.log.events(of: "s", after: .beginning, limit: 5) }
        for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
        reader.cancel()
        _ = await reader.result
      }
    }
    for number in 0..<10_000 { try await log.append(deltas(["\(number)"]), turn: "\(number)") }
    readers.cancel()
    await readers.value
  }
}
