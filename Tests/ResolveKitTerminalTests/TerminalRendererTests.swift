import ResolveKitUI
import StreamTransport
import Synchronization
import Testing

@testable import ResolveKitTerminal

struct TerminalRendererTests {
  private func screen(
    _ updates: [ResolveKitRuntimeUpdate], style: OutputStyle = .plain, statusStyle: OutputStyle? = nil
  ) -> String {
    var renderer = TerminalRenderer(style: style, statusStyle: statusStyle ?? style)
    return updates.flatMap { renderer.render($0) }.reduce(into: "") { screen, output in
      switch output {
      case .answer(let text), .status(let text): screen += text
      }
    }
  }

  @Test func textIsAppendedAsItStreams() {
    #expect(
      screen([
        .text(turnID: "t", appended: "Hel"), .text(turnID: "t", appended: "lo"),
        .turn(ResolveKitFinishedTurn(turnID: "t", status: .complete, text: "Hello")),
      ]) == "Hello\n")
  }

  @Test func answerWithoutDeltasIsShownAtTheEnd() {
    #expect(
      screen([.turn(ResolveKitFinishedTurn(turnID: "t", status: .complete, text: "All at once"))]) == "All at once\n")
  }

  @Test func correctedTextStartsOnALineOfItsOwn() {
    #expect(
      screen([
        .text(turnID: "t", appended: "wrong"), .textCorrected(turnID: "t", text: "right"),
        .turn(ResolveKitFinishedTurn(turnID: "t", status: .complete, text: "right")),
      ]) == "wrong\nright\n")
  }

  @Test func whatStandsInAMessagesWayIsALine() {
    #expect(
      screen([
        .delivery(requestID: "r", text: "hi", .held),
        .delivery(requestID: "r", text: "two\nlines", .unknown),
        .delivery(requestID: "r", text: String(repeating: "x", count: 61), .notSent),
      ]) == """
        [an earlier turn still runs on the server; the message waits for its end]
        [not known whether it arrived: two lines]
        [not sent: \(String(repeating: "x", count: 59))…]

        """)
  }

  @Test func toolsAndTroubleBreakTheLine() {
    #expect(
      screen([
        .text(turnID: "t", appended: "Let me see"),
        .tool(callID: "c", name: "get_local_time", status: .running),
        .tool(callID: "c", name: "get_local_time", status: .completed),
        .connection(
          ResolveKitConnectionUpdate(state: .reconnecting, attempt: 1, reason: "lost\u{1B}[2J", transport: .http3)),
        .text(turnID: "t", appended: "."),
        .turn(ResolveKitFinishedTurn(turnID: "t", status: .failed, text: "Let me see.", reason: "gone")),
      ]) == """
        Let me see
        [get_local_time runs]
        [get_local_time is done]
        [reconnecting · HTTP/3 · attempt 1 · lost[2J]
        .
        [the turn failed: gone]

        """)
  }

  @Test func aBackendThatIsAwayForLongIsOneLineAWaitAndEachCauseIsReportedOnce() {
    func wait(_ seconds: Int, _ reason: String) -> ResolveKitRuntimeUpdate {
      .connection(ResolveKitConnectionUpdate(state: .reconnecting, nextTry: .seconds(seconds), reason: reason))
    }
    func attempt(_ number: Int, _ reason: String) -> ResolveKitRuntimeUpdate {
      .connection(ResolveKitConnectionUpdate(state: .reconnecting, attempt: number, reason: reason))
    }
    #expect(
      screen([
        wait(1, "gone"), attempt(1, "gone"), wait(2, "no route"), attempt(2, "no route"), wait(4, "no route"),
        attempt(3, "no route"), wait(8, "no route"), .connection(ResolveKitConnectionUpdate(state: .reconnected)),
        .connection(ResolveKitConnectionUpdate(state: .active)), wait(1, "no route"),
      ]) == """
        [reconnecting · next try in 1.0 s · gone]
        [reconnecting · attempt 1 · next try in 2.0 s · no route]
        [reconnecting · attempt 2 · next try in 4.0 s]
        [reconnecting · attempt 3 · next try in 8.0 s]
        [reconnected]
        [reconnecting · next try in 1.0 s · no route]

        """)
  }

  @Test func aToolThatRanWasStoppedAndOneThatDidNotWasNotRun() {
    func tool(_ id: String, _ status: ToolCallItemStatus) -> ResolveKitRuntimeUpdate {
      .tool(callID: id, name: "wait", status: status)
    }
    #expect(
      screen([
        tool("a", .running), tool("b", .pendingApproval), tool("a", .cancelled("Cancelled by the user")),
        tool("b", .cancelled("Cancelled by the user")),
      ]) == """
        [wait runs]
        [wait was stopped: Cancelled by the user]
        [wait was not run: Cancelled by the user]

        """)
  }

  @Test func theLastLineIsNotOneOfALossThatIsOver() {
    func state(_ state: ResolveKitConnectionState) -> ResolveKitRuntimeUpdate {
      .connection(ResolveKitConnectionUpdate(state: state))
    }
    #expect(screen([state(.reconnecting), state(.active), state(.active)]) == "[reconnecting]\n[active]\n")
    #expect(screen([state(.reconnecting), state(.reconnected), state(.active)]) == "[reconnecting]\n[reconnected]\n")
  }

  @Test(arguments: [
    (Duration.microseconds(1249), "[active · HTTP/3 · round trip 1.2 ms]"),
    (.milliseconds(80), "[active · HTTP/3 · round trip 80.0 ms]"),
    (nil, "[active · HTTP/3]"),
  ])
  func statusShowsStateTransportAndRoundTrip(roundTrip: Duration?, line: String) {
    let connection = ResolveKitConnectionUpdate(state: .active, transport: .http1)
    let info = ConnectionInfo(transport: .http3, cipher: nil, remoteAddress: "192.0.2.1:443", handshake: .zero)
    // The snapshot's transport is the newer one.
    #expect(TerminalStatus(connection, ConnectionSnapshot(connection: info, roundTrip: roundTrip)).line == line)
    #expect(TerminalStatus(connection).line == "[active · HTTP/1.1]")
  }

  @Test func statusShowsAttemptNextTryAndCause() {
    let connection = ResolveKitConnectionUpdate(
      state: .reconnecting, attempt: 3, nextTry: .milliseconds(4_260), reason: "no\u{1B}route", transport: .http3)
    #expect(TerminalStatus(connection).line == "[reconnecting · HTTP/3 · attempt 3 · next try in 4.3 s · noroute]")
  }

  @Test func aRoundTripThatWaversIsNotShown() {
    func status(_ milliseconds: Int) -> TerminalStatus {
      let info = ConnectionInfo(transport: .http3, cipher: nil, remoteAddress: "192.0.2.1:443", handshake: .zero)
      return TerminalStatus(
        ResolveKitConnectionUpdate(state: .active),
        ConnectionSnapshot(connection: info, roundTrip: .milliseconds(milliseconds)))
    }
    #expect(status(40).isNews(after: nil))
    #expect(!status(45).isNews(after: status(40)))
    #expect(status(120).isNews(after: status(40)))
    #expect(status(40).isNews(after: status(120)))
  }

  @Test func aQuestionStandsOnLinesOfItsOwn() {
    #expect(
      screen([
        .text(turnID: "t", appended: "May I"),
        .approvalNeeded(ResolveKitApprovalRequest(batchID: 1, turnID: "t", calls: [])),
      ]) == "May I\n")
  }

  @Test func styledTextIsMarkdownAndStatusIsDim() {
    #expect(
      screen(
        [
          .text(turnID: "t", appended: "It is **ve"), .text(turnID: "t", appended: "ry** late."),
          .tool(callID: "c", name: "get_local_time", status: .running),
          .turn(ResolveKitFinishedTurn(turnID: "t", status: .complete, text: "It is **very** late.")),
        ], style: .styled) == "It is \u{1B}[1mvery\u{1B}[0m late.\n\u{1B}[2m[get_local_time runs]\u{1B}[0m\n")
  }

  @Test func aStatusThatGoesIntoAFileHasNoStyle() {
    #expect(
      screen(
        [
          .connection(ResolveKitConnectionUpdate(state: .connecting)), .text(turnID: "t", appended: "**so** "),
          .turn(ResolveKitFinishedTurn(turnID: "t", status: .cancelled, text: "**so** ")),
        ], style: .styled, statusStyle: .plain) == "[connecting]\n\u{1B}[1mso\u{1B}[0m\n[stopped]\n")
  }

  @Test func aWindowThatIsResizedCountsFromTheNextParagraphOn() {
    let columns = Mutex(40)
    var renderer = TerminalRenderer(style: .styled, statusStyle: .plain) { columns.withLock { $0 } }
    func shown(_ text: String) -> String { renderer.render(.text(turnID: "t", appended: text)).map(\.text).joined() }
    #expect(shown("one two three four five ") == "one two three four five")
    columns.withLock { $0 = 12 }
    #expect(shown("six seven \n\n") == " six seven")
    #expect(shown("one two three four ") == "\n\none two\nthree four")
  }

  @Test func whatAModelWritesIsNoControlSequenceInAnyStyle() {
    let evil = "\u{1B}]0;title\u{07} &#27;[2J \u{9B}31m [x](http://a/&#27;c)\u{202E} end"
    for style in OutputStyle.allCases {
      let shown = screen(
        [
          .text(turnID: "t", appended: evil), .turn(ResolveKitFinishedTurn(turnID: "t", status: .complete, text: evil)),
        ],
        style: style)
      let own = shown.replacing(/\u{1B}\[[0-9;]*m/, with: "")
      #expect(!own.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) })
      #expect(!own.unicodeScalars.contains("\u{202E}"))
    }
  }
}
