import ResolveKitCore
import StreamTransport
import TerminalIO
import TestSupport
import Testing

@testable import CodexRemoteClient
@testable import remote

/// The output of `remote open`: no one else's text steers the terminal.
struct RemoteRenderingTests {
  private static let hostile =
    "\u{1B}]0;title\u{7}\u{1B}[2J\u{9B}2J\u{90}x\u{9C}a\u{202E}b\u{2066}\u{E0041}\r\u{8}\u{7F}\u{0}\u{FEFF}\n> y\n"

  private static var entries: [RemoteEntry] {
    let contents: [RemoteEntry.Content] = [
      .message(role: .user, text: hostile), .message(role: .assistant, text: hostile),
      .command(line: hostile, folder: hostile, exitCode: -1, output: hostile),
      .fileChange([RemoteFileChange(path: hostile, kind: hostile, diff: hostile)]),
      .toolCall(server: hostile, tool: hostile), .activity(title: hostile, detail: hostile),
    ]
    let progress: [RemoteEntry.Progress] = [.inProgress, .completed, .failed, .declined]
    return contents.flatMap { content in
      progress.map { RemoteEntry(id: RemoteEntryID(turnID: hostile, itemID: hostile), content: content, progress: $0) }
    }
  }

  private static func approval(_ form: String, _ details: JSONObject) -> RemoteApproval? {
    let text = JSONValue.string(hostile)
    return RemoteApproval(json: [
      "id": text, "form": .string(form), "title": text, "summary": text, "consequence": text, "serverName": text,
      "toolName": text, "details": .object(details), "supportsCancel": true,
    ])
  }

  private static var approvals: [RemoteApproval] {
    let text = JSONValue.string(hostile)
    let choice: JSONValue = [
      "type": "string", "oneOf": [["const": text, "title": text]], "description": text, "title": text,
    ]
    let details: [(String, JSONObject)] = [
      ("command", ["command": text, "cwd": text, "reason": text]),
      ("fileChange", ["changes": [["path": text, "kind": text, "diff": text]], "grantRoot": text]),
      ("permissions", ["permissions": [hostile: text]]), ("toolCall", ["arguments": [hostile: text], hostile: text]),
      ("elicitation", ["message": text, "requestedSchema": ["properties": [hostile: choice], "required": [text]]]),
      ("elicitation", ["mode": text]), ("elicitation", ["mode": "url", "url": text]), (hostile, [hostile: text]),
    ]
    return details.compactMap { approval($0.0, $0.1) }
  }

  private static var updates: [RemoteUpdate] {
    let id = RemoteEntryID(turnID: hostile, itemID: hostile)
    var updates: [RemoteUpdate] = [
      .loaded(entries), .earlier(entries, hasMore: true), .resynchronized, .turnStarted(turnID: hostile),
      .text(id, appended: hostile), .text(id, appended: "\u{1B}"), .text(id, appended: "[2J"),
      .turnEnded(turnID: hostile, status: hostile, error: hostile),
      .turnEnded(turnID: "t", status: hostile, error: nil),
      .approvalGone(id: hostile, reason: hostile), .decisionRefused(id: hostile, reason: hostile), .notice(hostile),
      .link(.closed(.refused, reason: hostile)), .link(.waiting(reason: hostile, retryIn: .seconds(9))),
      .link(.open(.scripted)),
      .message(RemoteOutgoing(id: hostile, text: hostile, delivery: .failed(.refused, reason: hostile))),
      .message(RemoteOutgoing(id: hostile, text: hostile, delivery: .retrying(attempt: 1, reason: hostile))),
      .message(RemoteOutgoing(id: hostile, text: hostile, delivery: .withdrawn(mayHaveArrived: true))),
      .message(RemoteOutgoing(id: hostile, text: hostile, delivery: .dropped(turnID: hostile))),
    ]
    updates += entries.map { .entry($0) }
    return updates + approvals.map { .approvalNeeded($0) }
  }

  /// Styles apart, which are the program's own.
  private func harmful(_ text: String) -> [Unicode.Scalar] {
    text.replacing(/\u{1B}\[[0-9;]*m/, with: "").unicodeScalars.filter {
      switch $0.value {
      case 0x0A: false
      case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0xE0000...0xE007F: true
      default: false
      }
    }
  }

  @Test(arguments: [OutputStyle.plain, .styled], [true, false])
  func onATerminalNothingSteersIt(_ style: OutputStyle, _ writesWholeLines: Bool) {
    var renderer = TerminalChatRenderer(style: style, statusStyle: style, writesWholeLines: writesWholeLines)
    for update in Self.updates {
      let shown = renderer.render(update, isOwn: { _ in false }).map(\.text).joined()
      #expect(harmful(shown.replacing("\t", with: " ")).isEmpty, "\(update): \(shown.visible)")
    }
  }

  @Test(arguments: [OutputStyle.plain, .styled], [true, false])
  func aLineInTheMiddleOfAMessageDoesNotHaveItShownTwice(_ style: OutputStyle, _ writesWholeLines: Bool) {
    let id = RemoteEntryID(turnID: "t", itemID: "m")
    let whole = RemoteEntry(id: id, content: .message(role: .assistant, text: "one two three"), progress: .completed)
    let updates: [RemoteUpdate] = [
      .text(id, appended: "one "), .text(id, appended: "two "), .notice("news"), .text(id, appended: "three"),
      .entry(whole),
    ]
    var renderer = TerminalChatRenderer(style: style, statusStyle: .plain, writesWholeLines: writesWholeLines)
    let shown = updates.flatMap { renderer.render($0, isOwn: { _ in false }) }.map(\.text).joined()
    #expect(shown.split { $0.isWhitespace } == ["one", "two", "[news]", "three"])
  }

  /// A companion that was away has missed some of it.
  @Test(arguments: [true, false])
  func aTextWithAHoleIsShownWholeAndThatIsSaid(_ writesWholeLines: Bool) {
    let id = RemoteEntryID(turnID: "t", itemID: "m")
    let whole = RemoteEntry(id: id, content: .message(role: .assistant, text: "one two three"), progress: .completed)
    var renderer = TerminalChatRenderer(style: .plain, statusStyle: .plain, writesWholeLines: writesWholeLines)
    let updates: [RemoteUpdate] = [.text(id, appended: "one "), .text(id, appended: "three"), .entry(whole)]
    let shown = updates.flatMap { renderer.render($0, isOwn: { _ in false }) }.map(\.text).joined()
    #expect(
      shown.split(separator: "\n") == ["one three", "[a part is missing above; the whole text:]", "one two three"])
  }

  @Test func anObjectIsOneLineOfPrintableCharacters() throws {
    var renderer = JSONChatRenderer()
    for update in Self.updates {
      let shown = renderer.render(update, isOwn: { _ in false }).map(\.text).joined()
      #expect(shown.filter { $0 == "\n" }.count == 1 && shown.hasSuffix("\n"))
      #expect(harmful(shown).isEmpty, "\(shown.visible)")
      #expect(throws: Never.self) { try JSONValue(parsing: shown) }
    }
  }

  @Test func aQuestionShowsWhatIsAskedAndSteersNothing() {
    #expect(Self.approvals.count == 8)
    for approval in Self.approvals {
      let question = RemoteQuestion(approval)
      let shown = question.text() + question.text(isWhole: true) + question.prompt
      #expect(harmful(shown).isEmpty, "\(approval.form.visible): \(shown.visible)")
      #expect(question.prompt.contains("n no"))
      // What could not be seen is an escape: no line but the program's own begins like one of them.
      #expect(!shown.split(separator: "\n").contains { $0.hasPrefix("> y") })
    }
  }
}
