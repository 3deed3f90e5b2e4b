import ResolveKitUI
import SessionSupport
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// The consequence of each status in each place: the state, and words that say what to do.
@Suite(.timeLimit(.minutes(10)))
@MainActor
struct RuntimeStatusTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var status: Int
    /// The number of times that it is answered.
    var times = 1
    /// The state at the end.
    var state: ResolveKitConnectionState
    /// The ending of a message's turn.
    var turn: ResolveKitFinishedTurn.Status = .complete
    /// Part of what is said to a person; nil where nothing needs to be.
    var words: String?
    var testDescription: String { "\(status) × \(times)" }

    /// The contract's answer.
    var answers: [(Int, String)] {
      let detail =
        status == 403
        ? #"{"code":"chat_unavailable","message":"Chat is unavailable, try again later"}"# : #""refused""#
      return Array(repeating: (status, #"{"detail":\#(detail)}"#), count: times)
    }
  }

  private static func server(_ route: String, _ row: Row) -> ContractServer {
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.streamAnswer(turn: turn, request: request, ["ok"])
    })
    server.answer(route, with: row.answers)
    if row.status == 429 || row.status == 503 { server.setRetryAfter("7") }
    return server
  }

  /// Starts, and sends a message where that is possible; the last state before the stop, the turn, and what was thrown.
  private func outcome(
    _ server: ContractServer
  ) async -> (state: ResolveKitConnectionState?, turn: ResolveKitFinishedTurn?, words: String) {
    let runtime = Conversation(server: server).runtime()
    let updates = runtime.updates()
    var words = ""
    do { try await runtime.start() } catch { words = "\(error)" }
    if words.isEmpty { await runtime.sendMessage("hello") }
    var state: ResolveKitConnectionState?
    var turn: ResolveKitFinishedTurn?
    if words.isEmpty {
      for await update in updates {
        if case .connection(let connection) = update { state = connection.state }
        if case .turn(let finished) = update {
          turn = finished
          break
        }
      }
    }
    await runtime.finish()
    for await case .connection(let connection) in updates where connection.state != .idle { state = connection.state }
    return (state, turn, words + (turn?.reason ?? ""))
  }

  @Test(arguments: [
    Row(status: 401, state: .active),
    Row(status: 401, times: 2, state: .blocked, words: "Check that the API key"),
    Row(status: 403, state: .blocked, words: "Chat is unavailable, try again later"),
    Row(status: 404, state: .failed, words: "Check the base URL"),
    Row(status: 409, state: .failed, words: "refused"),
    Row(status: 410, state: .failed, words: "new session"),
    Row(status: 422, state: .failed, words: "providers"),
    Row(status: 426, state: .blocked, words: "Update the SDK"),
    Row(status: 429, state: .failed, words: "Try again in 7 s"),
    Row(status: 500, state: .failed, words: "Try again later"),
    Row(status: 503, state: .failed, words: "Try again in 7 s"),
  ])
  func whereASessionIsCreated(_ row: Row) async {
    let outcome = await outcome(Self.server("POST /v1/sessions", row))
    #expect(outcome.state == row.state)
    if let words = row.words { #expect(outcome.words.contains(words), "\(outcome.words)") }
    #expect(outcome.words.isEmpty == (row.words == nil))
  }

  @Test(arguments: [
    Row(status: 401, state: .active),
    Row(status: 401, times: 2, state: .blocked, words: "Check that the API key"),
    Row(status: 403, state: .active),
    Row(status: 403, times: 2, state: .blocked, words: "Chat is unavailable, try again later"),
    Row(status: 404, state: .active),
    Row(status: 404, times: 2, state: .failed, words: "Check the base URL"),
    Row(status: 409, state: .failed, words: "refused"),
    Row(status: 410, state: .active),
    Row(status: 410, times: 2, state: .failed, words: "new session"),
    Row(status: 422, state: .failed, words: "providers"),
    Row(status: 426, state: .blocked, words: "Update the SDK"),
    Row(status: 429, times: 3, state: .active),
    Row(status: 500, times: 3, state: .active),
    Row(status: 503, times: 3, state: .active),
  ])
  func whereTheStreamIsOpened(_ row: Row) async {
    let outcome = await outcome(Self.server("GET /v1/sessions/s1/events", row))
    #expect(outcome.state == row.state)
    if let words = row.words { #expect(outcome.words.contains(words), "\(outcome.words)") }
    #expect(outcome.words.isEmpty == (row.words == nil))
  }

  @Test(arguments: [
    Row(status: 401, state: .active), Row(status: 401, times: 2, state: .active),
    Row(status: 403, state: .active), Row(status: 404, state: .active), Row(status: 410, state: .active),
    Row(status: 409, times: 3, state: .active),
    Row(status: 422, state: .active, turn: .failed, words: "providers"),
    Row(status: 426, state: .blocked, turn: .failed, words: "Update the SDK"),
    Row(status: 429, times: 3, state: .active), Row(status: 500, times: 3, state: .active),
    Row(status: 503, times: 3, state: .active),
  ])
  func whereAMessageIsSent(_ row: Row) async {
    let server = Self.server("POST /v1/sessions/s1/messages", row)
    let outcome = await outcome(server)
    #expect(outcome.state == row.state)
    #expect(outcome.turn?.status == row.turn)
    if let words = row.words { #expect(outcome.words.contains(words), "\(outcome.words)") }
    let requests = server.bodies(of: "POST /v1/sessions/s1/messages").map { $0.objectValue?["request_id"] }
    #expect(Set(requests).count == 1, "each try has the message's one id")
  }

  @Test("Invariant 13: of streams that are refused no two are asked for within a second")
  func refusedStreamsAreNotAskedForInARow() async throws {
    let clock = InstantClock()
    let times = Mutex<[Duration]>([])
    let server = ContractServer()
    let refused = (410, #"{"detail":"Session expired"}"#)
    server.answer("GET /v1/sessions/s1/events", with: [refused, refused, refused])
    server.observe { call in
      if call == "GET /v1/sessions/s1/events" { times.withLock { $0.append(clock.elapsed) } }
    }
    let runtime = Conversation(server: server, clock: TransportClock(clock)).runtime()
    await #expect(throws: ResolveKitStartError.self) { try await runtime.start() }
    try? await runtime.start()
    await runtime.finish()
    let seen = times.withLock(\.self)
    #expect(seen.count >= 3)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $1 - $0 >= .seconds(1) }, "\(seen)")
  }

  @Test func aCursorThatIsTooOldIsDroppedAndTheSessionStays() async throws {
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.streamAnswer(turn: turn, request: request, ["ok"])
    })
    let runtime = Conversation(server: server).runtime()
    let updates = runtime.updates()
    try await runtime.start()
    await runtime.sendMessage("hello")
    for await case .turn in updates { break }
    let expired = #"{"detail":{"code":"cursor_expired","message":"The cursor is too old."}}"#
    server.answer("GET /v1/sessions/s1/events", with: [(410, expired)])
    await server.close()
    for await case .connection(let connection) in updates where connection.state == .reconnected { break }
    await runtime.finish()
    #expect(server.bodies(of: "POST /v1/sessions").count == 1)
    let streams = server.received.map(\.path).filter { $0.hasPrefix("/v1/sessions/s1/events") }
    #expect(streams.map { $0.contains("cursor=") } == [false, true, false])
  }

  @Test func aKeyThatIsRefusedPermanentlyBlocksInTheMiddleOfATurn() async {
    let row = Row(status: 401, times: 2, state: .blocked, turn: .failed)
    let server = ContractServer(onMessage: { _, _, _, _ in Issue.record("the message was taken") })
    let runtime = Conversation(server: server).runtime()
    let updates = runtime.updates()
    try? await runtime.start()
    server.answer("POST /v1/sessions/s1/messages", with: row.answers)
    server.answer("POST /v1/sessions", with: row.answers)
    await runtime.sendMessage("hello")
    for await case .connection(let connection) in updates where connection.state == .blocked { break }
    await runtime.finish()
    #expect(runtime.lastError?.contains("API key") == true)
    #expect(!runtime.isTurnInProgress)
  }
}
