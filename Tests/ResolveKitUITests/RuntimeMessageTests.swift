import Foundation
import ResolveKitNetworking
import ResolveKitUI
import SessionSupport
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// A message that is held back, or of which it is not known whether it arrived.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct RuntimeMessageTests {
  private static let post = "POST /v1/sessions/s1/messages"
  private static let history = "GET /v1/sessions/s1/messages"
  private static let conflict = (409, #"{"detail":"A turn is already in progress"}"#)
  private static let badGateway = (502, "<html>")

  private static func answering() -> ContractServer {
    ContractServer(onMessage: { server, turn, request, text in
      server.streamAnswer(turn: turn, request: request, ["answer to \(text)"])
    })
  }

  /// The updates up to the end of the next turn.
  private func turn(_ updates: ResolveKitRuntimeUpdates) async -> [ResolveKitRuntimeUpdate] {
    var seen: [ResolveKitRuntimeUpdate] = []
    for await update in updates {
      seen.append(update)
      if case .turn = update { break }
    }
    return seen
  }

  private func requestIDs(_ server: ContractServer) -> [String?] {
    server.bodies(of: Self.post).map { $0.objectValue?["request_id"]?.stringValue }
  }

  @Test func aMessageThatIsHeldBackIsReportedOnceAndSentWhateverComesBetween() async throws {
    let server = Self.answering()
    server.answer(
      Self.post,
      with: [Self.conflict] + Array(repeating: Self.badGateway, count: 6) + [Self.conflict, (500, ""), Self.conflict])
    let updates = try await Conversation(server: server).updates(of: "hello")
    #expect(updates.finishedTurn?.text == "answer to hello")
    #expect(updates.deliveries == [.held])
    #expect(Set(requestIDs(server)).count == 1)
  }

  @Test func aMessageOfAPersonDoesNotSplitTheAnswerThatIsWritten() async throws {
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.append(turn: turn, request: request, type: "assistant_text_delta", payload: ["delta": "one "])
      server.append(turn: "", request: "", type: "human_message", payload: ["text": "I am here", "message_id": "h1"])
      server.streamAnswer(turn: turn, request: request, ["two"], after: "one ")
    })
    let runtime = Conversation(server: server).runtime()
    try await runtime.start()
    _ = try await runtime.respond(to: "go")
    await runtime.finish()
    #expect(runtime.messages.map(\.text) == ["go", "one two", "I am here"])
    #expect(Set(runtime.messages.map(\.id)).count == 3)
  }

  @Test("Invariant 14: of a long conversation the newest messages are kept")
  func aConversationIsBounded() async throws {
    let count = 2_500
    let server = ContractServer(onMessage: { server, turn, request, _ in
      for index in 1...count {
        server.append(
          turn: "", request: "", type: "human_message",
          payload: ["text": .string("\(index)"), "message_id": .string("h\(index)")])
      }
      server.streamAnswer(turn: turn, request: request, ["end"])
    })
    let runtime = Conversation(server: server).runtime()
    try await runtime.start()
    _ = try await runtime.respond(to: "go")
    await runtime.finish()
    #expect(runtime.messages.count <= 2_000 && runtime.messages.count >= 1_800)
    #expect(runtime.messages.suffix(2).map(\.text) == ["\(count)", "end"])
  }

  @Test func anEventWithoutAnIDIsNoRepetitionOfTheOneBeforeIt() async throws {
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.append(turn: turn, request: request, type: "assistant_text_delta", payload: ["delta": "one "])
      server.append(
        turn: turn, request: request, type: "assistant_text_delta", payload: ["delta": "two "], hasID: false)
      server.streamAnswer(turn: turn, request: request, ["three"], after: "one two ")
    })
    let updates = try await Conversation(server: server).updates(of: "go")
    #expect(updates.finishedTurn?.text == "one two three")
    let pieces = updates.compactMap { if case .text(_, let appended) = $0 { appended } else { nil } }
    #expect(pieces == ["one ", "two ", "three"])
  }

  /// 502 five times: the server may have got the message all the same, and here it has.
  @Test func aRetryShowsTheAnswerThatTheHistoryHolds() async throws {
    let server = Self.answering()
    server.answer(Self.post, with: Array(repeating: Self.badGateway, count: 5))
    let runtime = Conversation(server: server).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage("hello")
    let first = await turn(updates)
    #expect(first.finishedTurn?.status == .failed && first.deliveries == [.unknown])
    server.answer(
      Self.history,
      with: [(200, #"[{"id":"1","role":"user","content":"hello"},{"id":"2","role":"assistant","content":"hi"}]"#)])
    #expect(await runtime.retryMessage())
    let second = await turn(updates)
    #expect(second.finishedTurn?.status == .complete && second.finishedTurn?.text == "hi")
    #expect(requestIDs(server).count == 5)
    #expect(await !runtime.retryMessage(), "it has its answer")
    await runtime.finish()
    #expect(runtime.messages.map(\.text) == ["hello", "hi"])
  }

  @Test func aRetrySendsWhatTheHistoryLacksUnderItsID() async throws {
    let server = Self.answering()
    server.answer(Self.post, with: Array(repeating: Self.badGateway, count: 5))
    let runtime = Conversation(server: server).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage("hello")
    _ = await turn(updates)
    #expect(await runtime.retryMessage())
    #expect(await turn(updates).finishedTurn?.text == "answer to hello")
    let paths = server.received.map { "\($0.method) \($0.path)" }
    let asked = try #require(paths.lastIndex(of: Self.history))
    #expect(paths.lastIndex(of: Self.post).map { $0 > asked } == true)
    #expect(requestIDs(server).count == 6 && Set(requestIDs(server)).count == 1)
    await runtime.finish()
    #expect(runtime.messages.map(\.text) == ["hello", "answer to hello"])
  }

  @Test func aContextThatCannotBeSentIsNoPost() async throws {
    let server = Self.answering()
    server.answer("PATCH /v1/sessions/s1/context", with: Array(repeating: Self.badGateway, count: 5))
    let count = Mutex(0)
    let next: @Sendable () -> Double = {
      count.withLock { count in
        count += 1
        return Double(count)
      }
    }
    let runtime = Conversation(
      server: server, configure: { $0.llmContextProvider = { ["count": .number(next())] } }
    ).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage("hello")
    let first = await turn(updates)
    #expect(first.deliveries == [.notSent] && requestIDs(server).isEmpty)
    #expect(await runtime.retryMessage())
    #expect(await turn(updates).finishedTurn?.status == .complete)
    #expect(server.bodies(of: Self.history).isEmpty, "nothing was in doubt")
    await runtime.finish()
  }

  @Test func aMessageThatNeverArrivedIsNotOneThatWasSentInTheNextProcess() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "held-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = Self.answering()
    // Pauses up to 8 s pass at once; the one of 16 s lasts.
    let conversation = Conversation(
      server: server, clock: TransportClock(InstantClock(upTo: .seconds(10))),
      configure: {
        $0.journal = ResolveKitJournalConfiguration(folder: ResolveKitJournalFolder(path: folder.path))
      })
    let first = conversation.runtime()
    let firstUpdates = first.updates()
    try await first.start()
    await first.sendMessage("one")
    _ = await turn(firstUpdates)
    server.answer(Self.post, with: Array(repeating: Self.conflict, count: 5))
    await first.sendMessage("two")
    for await case .note(let line) in firstUpdates where line.contains("message in 16 s") { break }
    await first.finish()

    let next = conversation.runtime()
    let updates = next.updates()
    try await next.start()
    for await case .delivery(_, "two", let delivery) in updates {
      #expect(delivery == .notSent)
      break
    }
    #expect(await next.retryMessage())
    #expect(await turn(updates).finishedTurn?.text == "answer to two")
    await next.finish()
    #expect(next.messages.map(\.text) == ["one", "answer to one", "two", "answer to two"])
  }
}

extension [ResolveKitRuntimeUpdate] {
  var deliveries: [ResolveKitMessageDelivery] {
    compactMap { if case .delivery(_, _, let delivery) = $0 { delivery } else { nil } }
  }
}
