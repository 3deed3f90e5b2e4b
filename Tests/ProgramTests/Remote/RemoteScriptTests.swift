import ArgumentParser
import ResolveKitCore
import StreamTransport
import TerminalIO
import TestSupport
import Testing

@testable import CodexRemoteClient
@testable import remote

/// `remote open` for a program that cannot read what was said.
struct RemoteScriptTests {
  private static let own = "own"

  private func outcome(_ updates: [RemoteUpdate], stops: Bool = false) -> RemoteError.Code? {
    var outcome = ScriptOutcome()
    if stops { outcome.stopped() }
    for update in updates { outcome.take(update) { $0 == Self.own } }
    return outcome.failure
  }

  private static func message(_ delivery: RemoteOutgoing.Delivery) -> RemoteUpdate {
    .message(RemoteOutgoing(id: own, text: "x", delivery: delivery))
  }

  private static func ended(_ turnID: String, _ status: String) -> RemoteUpdate {
    .turnEnded(turnID: turnID, status: status, error: nil)
  }

  private static func said(_ turnID: String, by request: String?) -> RemoteUpdate {
    .entry(
      RemoteEntry(
        id: RemoteEntryID(turnID: turnID, itemID: "u"), content: .message(role: .user, text: "x"), progress: .completed,
        requestID: request))
  }

  @Test func theFirstThingThatDidNotHappenIsTheOutcome() {
    #expect(outcome([.loaded([]), .notice("news"), Self.message(.delivered(turnID: nil))]) == nil)
    #expect(outcome([Self.message(.retrying(attempt: 1, reason: "r"))]) == nil)
    #expect(outcome([Self.message(.dropped(turnID: "t"))], stops: true) == .refused)
    #expect(
      outcome([Self.message(.failed(.conflict, reason: "r")), .link(.closed(.forbidden, reason: "r"))]) == .conflict)
    #expect(outcome([.decisionRefused(id: "a", reason: "r")]) == .refused)
    #expect(outcome([.link(.closed(.unauthorized, reason: "r"))]) == .unauthorized)
  }

  @Test func aTurnThatAnswersAMessageOfThisProgramCounts() {
    let continued: [RemoteUpdate] = [
      Self.said("t", by: Self.own), .turnContinues(turnID: "t"), Self.ended("t", "completed"),
      .turnStarted(turnID: "t2"),
    ]
    #expect(outcome(continued + [Self.ended("t2", "completed")]) == nil)
    #expect(outcome(continued + [Self.ended("t2", "failed")]) == .refused)
    #expect(outcome([.turnContinues(turnID: "t"), .turnStarted(turnID: "t2"), Self.ended("t2", "failed")]) == nil)
  }

  @Test func aTurnCountsWhereItHasAMessageOfThisProgram() {
    for status in ["failed", "interrupted"] {
      #expect(outcome([Self.message(.delivered(turnID: "t")), Self.ended("t", status)]) == .refused)
      #expect(outcome([Self.said("t", by: Self.own), Self.ended("t", status)]) == .refused)
      #expect(outcome([Self.said("t", by: Self.own), Self.ended("t", status)], stops: true) == nil)
      // One that is told again with the history, or is somebody else's.
      #expect(outcome([Self.ended("t", status)]) == nil)
      #expect(outcome([Self.said("t", by: "another"), Self.said("t", by: nil), Self.ended("t", status)]) == nil)
    }
    #expect(outcome([Self.said("t", by: Self.own), Self.ended("t", "completed")]) == nil)
  }

  @Test func eachErrorHasTheExitCodeOfTheTable() {
    let table: [Int32: Set<RemoteError.Code>] = [
      1: [.notFound, .conflict, .gone, .refused, .unsupported, .malformed, .storage], 2: [.misuse],
      3: [.network, .timedOut, .certificate, .server, .tooManyRequests], 4: [.unauthorized, .forbidden],
    ]
    for code in RemoteError.Code.allCases {
      #expect(table[ExitCode(code).rawValue]?.contains(code) == true, "\(code)")
    }
  }

  @Test func patienceEndsWhereNothingComesAndBeginsAgainWithEachLoss() {
    let start = ContinuousClock.now
    var patience = ConnectionPatience(.seconds(60))
    var state = RemoteChatState()
    #expect(patience.deadline(state, at: start) == start + .seconds(60))
    state.link = .waiting(reason: "no way", retryIn: .seconds(1))
    #expect(patience.deadline(state, at: start + .seconds(59)) == start + .seconds(60))
    #expect(patience.failure.code == .timedOut && patience.failure.message.contains("60 s"))
    #expect(patience.failure.message.hasSuffix("no way"))
    // A connection alone is no history.
    state.link = .open(.scripted)
    #expect(patience.deadline(state, at: start) != nil)
    state.isCurrent = true
    #expect(patience.deadline(state, at: start + .seconds(61)) == nil)
    state.link = .connecting(attempt: 1)
    #expect(patience.deadline(state, at: start + .seconds(90)) == start + .seconds(150))
  }

  private func object(_ reply: CommandReply) throws -> JSONObject {
    var renderer = JSONChatRenderer()
    let shown = renderer.render(reply, of: "git").map(\.text).joined()
    return try #require(try JSONValue(parsing: shown).objectValue)
  }

  @Test func aCommandsResultIsOneObject() throws {
    let done = try object(CommandReply([RemoteBranch(name: "main", isCurrent: true)]))
    #expect(done["kind"] == "command" && done["command"] == "git" && done["ok"] == true && done["code"] == nil)
    #expect(done["branches"] == [["name": "main", "is_current": true]])
    let failed = try object(CommandReply(failure: RemoteError(.conflict, "It was done.")))
    #expect(failed["ok"] == false && failed["code"] == "conflict" && failed["reason"] == "It was done.")
  }

  @Test func aCommandsAnswerIsWrittenForAPipeAndItsFailureIsNot() {
    var renderer = TerminalChatRenderer(style: .plain, statusStyle: .plain)
    let shown = renderer.render(CommandReply(lines: ["a \u{1B}[2J"], note: "cut"), of: "diff")
    #expect(shown.count == 2 && shown.last == .status("[cut]\n"))
    guard case .answer(let line)? = shown.first else {
      Issue.record("the answer is no answer")
      return
    }
    #expect(line.hasPrefix("a ") && line.hasSuffix("\n") && !line.contains("\u{1B}"))
    let failed = renderer.render(CommandReply(failure: RemoteError(.refused, "No.")), of: "commit")
    #expect(failed == [.status("[No.]\n")])
  }
}
