import EventStream
import HTTPTypes
import StreamTransport
import Synchronization
import TestSupport
import Testing

/// The event source's stream goes over to a better connection.
@Suite(.timeLimit(.minutes(10))) struct EventSourceMovingTests {
  private func updates(_ transport: ScriptedTransport) -> EventSourceUpdates {
    var configuration = EventSourceConfiguration()
    configuration.clock = TransportClock(ManualClock())
    return EventSourceClient(transport: transport, configuration: configuration, logger: .quiet)
      .updates { _ in EventSourceRequest(path: "/events") }
  }

  private func cursor(of request: ScriptedTransport.Received) -> String {
    let field = HTTPField.Name("last-event-id").flatMap { request.request.headerFields[fields: $0].first }
    return field?.withUnsafeBytesOfValue { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private func word(_ update: EventSourceUpdate) -> String {
    switch update {
    case .connecting(let attempt): "connecting \(attempt)"
    case .opened: "opened"
    case .event(let event, _): "event \(event.lastEventID)"
    case .comment(let text): "comment \(text)"
    case .idCommitted(let id): "id \(id)"
    case .disconnected(.moved, let isClean, let delay): "moved \(isClean) \(delay)"
    case .disconnected(let reason, _, _): "disconnected \(reason)"
    }
  }

  @Test func aQuietStreamMovesWithTheCursorOfWhatWasDealtWith() async throws {
    let transport = ScriptedTransport { received in
      received.number == 1
        ? .response(EventLogScript.head, [.bytes(Array("id: 1\ndata: a\n\n".utf8))])
        : .response(EventLogScript.head, [.bytes(Array("id: 2\ndata: b\n\n".utf8))])
    }
    var seen: [String] = []
    for try await update in updates(transport) {
      seen.append(word(update))
      // The reader asks for more and waits for it.
      if seen.last == "event 1" { transport.improvement.open() }
      if seen.last == "event 2" { break }
    }
    #expect(seen == ["connecting 1", "opened", "event 1", "moved true 0.0 seconds", "opened", "event 2"])
    #expect(transport.requests.map(cursor) == ["", "1"])
  }

  /// Data of the old stream that comes while the new one is being opened is kept only if that fails.
  @Test(arguments: [true, false]) func nothingIsLostOrRepeatedWhileItMoves(succeeds: Bool) async throws {
    let (asked, old) = (Gate(), Gate())
    let transport = ScriptedTransport { received in
      guard received.number > 1 else {
        return .response(
          EventLogScript.head,
          [
            .bytes(Array("id: 1\ndata: a\n\n".utf8)), .wait { await old.wait() },
            .bytes(Array("id: 2\ndata: b\n\n".utf8)), .wait { asked.open() },
            .bytes(Array("id: 3\ndata: c\n\n".utf8)),
          ])
      }
      old.open()
      await asked.wait()
      return succeeds
        ? .response(EventLogScript.head, [.bytes(Array("id: 2\ndata: b\n\nid: 3\ndata: c\n\n".utf8))])
        : .response(HTTPResponse(status: .serviceUnavailable), [.end])
    }
    var seen: [String] = []
    for try await update in updates(transport) {
      seen.append(word(update))
      if seen.last == "event 1" { transport.improvement.open() }
      if seen.last == "event 3" { break }
      // Asking for the next bytes is what lets the old stream continue.
      if !succeeds, seen.last == "event 2" { asked.open() }
    }
    #expect(seen.filter { $0.hasPrefix("event") } == ["event 1", "event 2", "event 3"])
    #expect(seen.contains { $0.hasPrefix("moved") } == succeeds)
    #expect(seen.filter { $0 == "opened" }.count == (succeeds ? 2 : 1))
    #expect(transport.requests.map(cursor) == ["", "1"])
  }

  /// Wherever in the stream it moves.
  @Test(arguments: 0..<12) func everyEventComesOnceAndInOrder(after count: Int) async throws {
    let script = EventLogScript(count: 12, seed: 7)
    let asked = Gate()
    let transport = ScriptedTransport { received in
      let bytes = script.bytes(after: cursor(of: received))
      guard received.number == 1 else {
        asked.open()
        return .response(EventLogScript.head, [.bytes(bytes)])
      }
      // As far as is read before the move, and the rest while it continues, in pieces that cut events in two.
      let rest = script.bytes(after: count == 0 ? "" : script.events[count - 1].lastEventID)
      let first = count == 0 ? [] : Array(bytes.prefix(bytes.count - rest.count + ": hello\n\n".utf8.count))
      return .response(
        EventLogScript.head,
        [.bytes(first), .wait { await asked.wait() }]
          + stride(from: 0, to: rest.count, by: 7).map { .bytes(Array(rest[$0..<min($0 + 7, rest.count)])) })
    }
    var events: [ServerSentEvent] = []
    if count == 0 { transport.improvement.open() }
    for try await update in updates(transport) {
      guard case .event(let event, _) = update else { continue }
      events.append(event)
      if events.count == count { transport.improvement.open() }
      if events.count == 12 { break }
    }
    #expect(events == script.events)
    #expect(transport.requests.count == 2)
  }

  /// Nothing says where a stream without ids is, and a request that is not safe is sent once.
  @Test(arguments: [false, true]) func whatCannotBeAskedForAgainStays(hasID: Bool) async throws {
    let more = Gate()
    let transport = ScriptedTransport { _ in
      .response(
        EventLogScript.head,
        [
          .bytes(Array("\(hasID ? "id: 1\n" : "")data: a\n\n".utf8)), .wait { await more.wait() },
          .bytes(Array("\(hasID ? "id: 2\n" : "")data: b\n\n".utf8)), .wait { await more.wait() },
          .bytes(Array("\(hasID ? "id: 3\n" : "")data: c\n\n".utf8)),
        ])
    }
    var configuration = EventSourceConfiguration()
    configuration.clock = TransportClock(ManualClock())
    let source = EventSourceClient(transport: transport, configuration: configuration, logger: .quiet)
      .updates { _ in EventSourceRequest(method: hasID ? .post : .get, path: "/events") }
    var data: [String] = []
    for try await update in source {
      guard case .event(let event, _) = update else { continue }
      data.append(event.data)
      transport.improvement.open()
      more.open()
      if data.count == 3 { break }
    }
    #expect(data == ["a", "b", "c"])
    #expect(transport.requests.count == 1)
  }

  /// Nor is a stream without ids moved before the first event that follows a reconnect: what comes meanwhile would be
  /// missing.
  @Test func aStreamWithoutIDsStaysWhenItIsOpenedAgain() async throws {
    let more = Gate()
    let transport = ScriptedTransport { received in
      switch received.number {
      case 1:
        .response(
          EventLogScript.head,
          [.bytes(Array("data: a\n\n".utf8)), .cut(TransportError(.superseded, "Another one answers."))])
      case 2: .response(EventLogScript.head, [.wait { await more.wait() }, .bytes(Array("data: b\n\n".utf8))])
      default: .response(EventLogScript.head, [.wait { more.open() }, .bytes(Array("data: c\n\n".utf8))])
      }
    }
    var data: [String] = []
    var opened = 0
    for try await update in updates(transport) {
      if case .opened = update {
        opened += 1
        guard opened == 2 else { continue }
        transport.improvement.open()
        // A move would begin while the reader waits.
        Task {
          for _ in 0..<1_000 { await Task.yield() }
          more.open()
        }
      }
      guard case .event(let event, _) = update else { continue }
      data.append(event.data)
      if data.count == 2 { break }
    }
    #expect(data == ["a", "b"])
    #expect(transport.requests.count == 2)
  }

  @Test func aStreamWhoseConnectionWasSupersededIsResumedAtOnce() async throws {
    let transport = ScriptedTransport { received in
      received.number == 1
        ? .response(
          EventLogScript.head,
          [.bytes(Array("id: 1\ndata: a\n\n".utf8)), .cut(TransportError(.superseded, "Another one answers."))])
        : .response(EventLogScript.head, [.bytes(Array("id: 2\ndata: b\n\n".utf8))])
    }
    var delays: [Duration] = []
    for try await update in updates(transport) {
      if case .disconnected(_, false, let delay) = update { delays.append(delay) }
      if case .event(let event, _) = update, event.lastEventID == "2" { break }
    }
    #expect(delays == [.zero])
    #expect(transport.requests.map(cursor) == ["", "1"])
  }
}
