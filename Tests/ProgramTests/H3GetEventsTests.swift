import Foundation
import HTTPTypes
import StreamTransport
import Subprocess
import SystemPackage
import Testing

/// `h3get --events` against a scripted event stream over loopback.
@Suite(.timeLimit(.minutes(10)))
struct H3GetEventsTests {
  /// The server's stream after its events.
  private enum Ending: Sendable {
    case finish
    case reset
    /// Until the client leaves.
    case stayOpen
  }

  private static func stream(
    _ events: [String], _ ending: Ending, type: String = "text/event-stream; charset=utf-8"
  ) -> @Sendable (HTTP3ServerExchange) async -> Void {
    { exchange in
      _ = try? await exchange.body.collect(upTo: 1 << 20)
      try? await exchange.respond(HTTPResponse(status: .ok, headerFields: [.contentType: type]))
      for event in events { try? await exchange.write(Array(event.utf8)) }
      switch ending {
      case .finish: try? await exchange.finish()
      case .reset: await exchange.reset()
      case .stayOpen: await H3GetServer.untilCancelled()
      }
    }
  }

  private static let chunk = #"data: {"object":"chat.completion.chunk"}"# + "\n\n"

  private func follow(
    _ options: [String] = [], _ handler: @escaping @Sendable (HTTP3ServerExchange) async -> Void
  ) async throws -> BuiltProgram.Outcome {
    try await H3GetServer.run(handler: handler) { try await $0.h3get(["--events"] + options) }
  }

  @Test func eventsAreLinesWithTheirTimes() async throws {
    let before = TransportClock.monotonicNanoseconds()
    let outcome = try await follow(
      ["--timing", "-i"],
      Self.stream([": hi\n\n", "id: 1\nevent: word\ndata: one\n\n", "data: two\n\n", "retry: 5\n\n"], .finish))
    let after = TransportClock.monotonicNanoseconds()
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    let lines = outcome.lines
    #expect(lines.map { $0["kind"] as? String } == ["comment", "event", "event", "retry"])
    #expect(lines.map { $0["id"] as? String } == [nil, "1", "1", nil])
    #expect(lines.map { $0["event"] as? String } == [nil, "word", "message", nil])
    #expect(lines.map { $0["data"] as? String } == [nil, "one", "two", nil])
    let moments = lines.compactMap { $0["at_ns"] as? UInt64 }
    #expect(moments.count == 4 && moments == moments.sorted())
    #expect(moments.allSatisfy { before < $0 && $0 < after })
    let times = lines.compactMap { $0["at_ms"] as? Double }
    #expect(times.count == 4 && times == times.sorted() && times.allSatisfy { $0 > 0 })
    #expect(outcome.error.contains("h3get: 2 events, the first after "), "\(outcome.error)")
    #expect(outcome.error.contains(#""events":2"#) && outcome.error.contains("HTTP/3 200\n"), "\(outcome.error)")
  }

  @Test func aPostedQuestionIsAnsweredUntilDone() async throws {
    let outcome = try await follow(["-d", #"{"stream":true}"#, "-H", "content-type: application/json"]) { exchange in
      let fields = exchange.request.headerFields
      let isAsked =
        exchange.request.method == .post && fields[.accept] == "text/event-stream"
        && fields[values: .contentType] == ["application/json"]
      // The server does not end its side: [DONE] has to do.
      await Self.stream(isAsked ? [Self.chunk, "data: [DONE]\n\n"] : [], isAsked ? .stayOpen : .finish)(exchange)
    }
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    #expect(outcome.lines.map { $0["data"] as? String } == [#"{"object":"chat.completion.chunk"}"#, "[DONE]"])
  }

  @Test func aCursorIsSentAsLastEventID() async throws {
    let outcome = try await follow(["--resume", "4 ü"]) { exchange in
      let id = HTTPField.Name("last-event-id").flatMap { exchange.request.headerFields[$0] } ?? "none"
      await Self.stream(["data: after \(id)\n\n"], .finish)(exchange)
    }
    #expect(outcome.lines.first?["data"] as? String == "after 4 ü", "\(outcome.output) \(outcome.error)")
  }

  @Test func aStreamThatWasCutHasAStatusOfItsOwn() async throws {
    for (events, ending) in [([Self.chunk], Ending.finish), (["data: x\n\nda"], .finish), (["data: x\n\n"], .reset)] {
      let outcome = try await follow([], Self.stream(events, ending))
      #expect(outcome.status == .exited(5), "\(events) \(outcome.error)")
      #expect(outcome.error.hasSuffix(".\n") || outcome.error.contains("H3_INTERNAL_ERROR"), "\(outcome.error)")
    }
  }

  /// Of a body without an end the beginning is shown, and a silent one has the time of any answer.
  @Test func whatIsNoEventStreamMayBeEndless() async throws {
    let page = String(repeating: "<html>", count: 1_000)
    let endless = try await follow([], Self.stream([page], .stayOpen, type: "text/html"))
    #expect(endless.status == .exited(1) && endless.error.contains("text/html: <html><html>"), "\(endless.error)")
    let silent = try await follow(["--timeout", "3"], Self.stream(["<"], .stayOpen, type: "text/html"))
    // On a busy machine the time may be over before there is a connection.
    let isEarly = silent.status == .exited(3) && silent.error.contains("within 3.0 seconds")
    #expect(
      isEarly || silent.status == .exited(1) && silent.error.contains("--timeout allows more"), "\(silent.error)")
  }

  @Test func whatIsNoEventStreamIsReportedInWords() async throws {
    let page = try await follow([], Self.stream(["<html>\u{1b}[2J"], .finish, type: "text/html"))
    #expect(page.status == .exited(1) && page.output.isEmpty)
    #expect(page.error.contains("is no event stream but text/html: <html>[2J"), "\(page.error)")
    let refusal = try await follow { exchange in
      try? await exchange.respond(HTTPResponse(status: .tooManyRequests))
      try? await exchange.write(Array("slow down".utf8))
      try? await exchange.finish()
    }
    #expect(refusal.status == .exited(1))
    #expect(refusal.error.contains("has status 429: slow down"), "\(refusal.error)")
    let nothing = try await follow { exchange in
      try? await exchange.respond(HTTPResponse(status: .noContent))
      try? await exchange.finish()
    }
    #expect(nothing.status == .exited(0) && nothing.error.contains("no event"), "\(nothing.error)")
  }

  @Test func theTimeAllowedIsForTheResponseToBegin() async throws {
    let outcome = try await follow(["--timeout", "1"]) { _ in await H3GetServer.untilCancelled() }
    // On a busy machine the second may be over before there is a connection.
    #expect([.exited(1), .exited(3)].contains(outcome.status), "\(outcome.error)")
    #expect(outcome.error.contains("within 1.0 seconds"), "\(outcome.error)")
  }

  /// Runs `h3get --events` in a shell's pipe.
  private func pipe(
    _ script: String, _ handler: @escaping @Sendable (HTTP3ServerExchange) async -> Void
  ) async throws -> (status: TerminationStatus, output: String, error: String) {
    try await H3GetServer.run(handler: handler) { server in
      let result = try await Subprocess.run(
        .name("bash"),
        arguments: ["-c", script, BuiltProgram(name: "h3get").path.string, server.authority, server.url("/")],
        output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
      return (result.terminationStatus, result.standardOutput, result.standardError)
    }
  }

  @Test func aReaderThatLeavesIsNoError() async throws {
    let events = (0..<2_000).map { "id: \($0)\ndata: \(String(repeating: "x", count: 1_000))\n\n" }
    let outcome = try await pipe(
      #""$0" --ca-file "$1" --http3-only --events "$2" | head -n 2; exit "${PIPESTATUS[0]}""#,
      Self.stream(events, .stayOpen))
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    #expect(outcome.output.split(separator: "\n").count == 2)
    #expect(outcome.error.split(separator: "\n").count == 1 && outcome.error.contains("events, the first"))
  }

  @Test func aReaderThatLeavesIsNoticedThoughNothingComes() async throws {
    let outcome = try await pipe(
      #""$0" --ca-file "$1" --http3-only --events "$2" | head -n 1; exit "${PIPESTATUS[0]}""#,
      Self.stream(["data: x\n\n"], .stayOpen))
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    #expect(outcome.error.contains("1 event, the first"), "\(outcome.error)")
  }

  @Test func anInterruptedStreamIsSummedUp() async throws {
    let outcome = try await pipe(
      #"""
      coproc "$0" --ca-file "$1" --http3-only --events "$2"
      pid=$COPROC_PID
      read -r line <&"${COPROC[0]}"
      kill -INT "$pid"
      wait "$pid"
      """#, Self.stream(["data: x\n\n"], .stayOpen))
    #expect(outcome.status == .exited(130), "\(outcome)")
    #expect(outcome.error.contains("1 event, the first after"), "\(outcome)")
  }
}
