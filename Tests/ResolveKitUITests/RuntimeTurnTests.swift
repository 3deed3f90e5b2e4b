import ResolveKitUI
import SessionSupport
import StreamTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RuntimeTurnTests {
  /// Streams `words` as deltas with the whole text so far, as the contract has it, then ends the turn.
  @Test func streamedTextEndsAsTheServersText() async throws {
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.streamAnswer(turn: turn, request: request, ["Grüße", ", ", "e\u{301}", "."])
    })
    let updates = try await Conversation(server: server).updates(of: "hello")
    #expect(updates.finishedTurn?.status == .complete)
    #expect(updates.finishedTurn?.text == "Grüße, e\u{301}.")
    #expect(updates.shownText == "Grüße, e\u{301}.")
    #expect(updates.eventIDs == ["1", "2", "3", "4", "5"])
  }

  @Test func theTransportIsAttentiveWhileATurnRuns() async throws {
    let server = ContractServer(onMessage: { server, turn, request, _ in
      #expect(server.expectations == [true])
      server.streamAnswer(turn: turn, request: request, ["ok"])
    })
    let updates = try await Conversation(server: server).updates(of: "hello")
    #expect(updates.finishedTurn?.status == .complete)
    #expect(server.expectations == [true, false])
  }

  @Test func connectionComesBeforeSessionAndSessionBeforeEvents() async throws {
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.streamAnswer(turn: turn, request: request, ["ok"])
    })
    let updates = try await Conversation(server: server).updates(of: "hello")
    let connection = updates.firstIndex { if case .connection = $0 { true } else { false } }
    let session = updates.firstIndex { if case .session = $0 { true } else { false } }
    let event = updates.firstIndex { if case .event = $0 { true } else { false } }
    let order = [connection, session, event].compactMap(\.self)
    #expect(order.count == 3)
    #expect(order == order.sorted())
  }

  @Test func toolRunsAndItsResultReachesTheServer() async throws {
    let server = ContractServer(
      onMessage: { server, turn, request, _ in
        server.requestCall(turn: turn, request: request, tool: "count", key: "plain")
      },
      onToolResult: { server, result in
        server.streamAnswer(turn: "t1", request: "", [result["result"]?.stringValue ?? "nothing"])
      })
    let updates = try await Conversation(server: server).updates(of: "count")
    #expect(updates.finishedTurn?.text == "counted")
    #expect(RunCounter.count("plain") == 1)
  }

  @Test func thrownErrorIsReportedToTheModel() async throws {
    let server = ContractServer(
      onMessage: { server, turn, request, _ in
        server.requestCall(turn: turn, request: request, tool: "throws", key: "thrown")
      },
      onToolResult: { server, result in
        let words = [result["status"]?.stringValue ?? "", ": ", result["error"]?.stringValue ?? ""]
        server.streamAnswer(turn: "t1", request: "", words)
      })
    let updates = try await Conversation(server: server).updates(of: "fail")
    #expect(updates.finishedTurn?.status == .complete)
    #expect(updates.finishedTurn?.text == "error: the disk is full")
    #expect(
      updates.contains { if case .tool(_, "throws", .failed("the disk is full")) = $0 { true } else { false } })
  }

  @Test func invalidEventIsReportedAndPassedOver() async throws {
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.appendRaw(type: "assistant_text_delta", data: "{\"payload\": nonsense")
      server.streamAnswer(turn: turn, request: request, ["still here"])
    })
    let updates = try await Conversation(server: server).updates(of: "hello")
    #expect(updates.finishedTurn?.text == "still here")
    #expect(updates.contains { if case .skippedEvent("1", _) = $0 { true } else { false } })
    #expect(updates.eventIDs == ["2", "3"])
  }

  @Test func wrongKeyBlocks() async throws {
    var conversation = Conversation(server: ContractServer())
    conversation.apiKey = "rk_wrong"
    let runtime = await conversation.runtime()
    let error = await #expect(throws: ResolveKitStartError.self) { try await runtime.start() }
    #expect(error?.isBlocked == true)
    #expect(await runtime.lastError?.contains("401") == true)
  }

  @Test func missingKeyBlocksWithoutAnyRequest() async throws {
    let server = ContractServer()
    var conversation = Conversation(server: server)
    conversation.apiKey = ""
    let runtime = await conversation.runtime()
    let error = await #expect(throws: ResolveKitStartError.self) { try await runtime.start() }
    #expect(error?.isBlocked == true)
    #expect(server.received.isEmpty)
  }

  @MainActor
  @Test func aNewSessionBegunWhileTheFirstStartRegistersIsNotEndedByIt() async throws {
    let server = ContractServer()
    let gates = [Gate(), Gate()]
    let (held, continuation) = AsyncStream<Void>.makeStream()
    let register = "PUT /v1/functions/bulk"
    server.hold(register, until: gates[0], onHold: { continuation.yield() })
    let runtime = Conversation(server: server).runtime()
    let first = Task { try await runtime.start() }
    for await _ in held { break }
    server.hold(register, until: gates[1], onHold: { continuation.yield() })
    let second = Task { await runtime.reloadWithNewSession() }
    for await _ in held { break }
    // The first registration comes to its end, a cancellation, while the second is on its way.
    gates[0].open()
    await #expect(throws: CancellationError.self) { try await first.value }
    while server.bodies(of: register).isEmpty { await Task.yield() }
    gates[1].open()
    await second.value
    await runtime.finish()
    #expect(runtime.lastError == nil)
    #expect(server.received.contains { $0.path.hasPrefix("/v1/sessions/s1/events") })
  }

  @Test func serverErrorEndsTheTurnAsFailed() async throws {
    let server = ContractServer(onMessage: { server, turn, request, _ in
      server.append(
        turn: turn, request: request, type: "error",
        payload: ["code": "interrupted", "message": "The server was restarted.", "recoverable": true])
    })
    let turn = try await Conversation(server: server).updates(of: "hello").finishedTurn
    #expect(turn?.status == .failed)
    #expect(turn?.reason?.contains("The server was restarted.") == true)
  }

  /// The time does not pass by itself here: without haste the message would wait for it.
  @MainActor
  @Test func aMessageEndsTheWaitForTheLostStream() async throws {
    let clock = ManualClock()
    let server = ContractServer(
      cuts: [.init(afterBytes: 20, isClean: false)],
      onMessage: { server, turn, request, _ in
        server.streamAnswer(turn: turn, request: request, ["ok"])
      })
    var conversation = Conversation(server: server)
    conversation.clock = TransportClock(clock)
    let runtime = conversation.runtime()
    let updates = runtime.updates()
    try await runtime.start()
    clock.advance(by: .seconds(10))
    server.appendRaw(type: "unknown", data: "what cuts the stream")
    var turn: ResolveKitFinishedTurn?
    for await update in updates {
      if case .connection(let connection) = update, connection.state == .reconnecting, connection.attempt == 0 {
        #expect(try #require(connection.nextTry) >= .seconds(1))
        await runtime.sendMessage("hello")
      }
      if case .turn(let ended) = update {
        turn = ended
        break
      }
    }
    #expect(turn?.status == .complete && turn?.text == "ok")
    await runtime.finish()
  }
}
