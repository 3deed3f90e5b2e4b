import Testing

@testable import CodexCompanion

@Suite struct RolloutFoldTests {
  private let chat = TestRollout.chat

  private func row(_ activity: ChatActivity) -> String {
    var parts = [activity.id, activity.kind.rawValue, activity.title]
    parts += [activity.detail, activity.commandPreview].compactMap { $0 }
    if let path = activity.filePath {
      parts.append("\(path) +\(activity.additions ?? -1) -\(activity.deletions ?? -1)")
    }
    return parts.joined(separator: " | ")
  }

  @Test func whatCodexWroteIsShownAsAChat() throws {
    let timeline = try TestRollout.timeline(TestRollout.bytes("full"))
    let first = "01a212c2-836f-73c2-8eeb-a9aaafe33d1c"
    let second = "01a212c2-88c8-7411-90a8-44a41e93b9c2"
    #expect(
      timeline.messages == [
        ChatMessage(id: "\(chat):user:9", role: .user, text: "do things", createdAt: 1_795_611_067, turnID: first),
        ChatMessage(
          id: "\(chat):assistant:14", role: .assistant, text: "I look around.", createdAt: 1_795_611_067,
          phase: .commentary, turnID: first),
        ChatMessage(
          id: "\(chat):assistant:55", role: .assistant, text: "The end.", createdAt: 1_795_611_068,
          phase: .finalAnswer, workedDurationSeconds: 1, turnID: first),
        ChatMessage(id: "\(chat):user:75", role: .user, text: "and now", createdAt: 1_795_611_068, turnID: second),
        ChatMessage(
          id: "\(chat):assistant:76", role: .assistant, text: "after", createdAt: 1_795_611_068, turnID: second),
      ])
    #expect(timeline.activities.first?.turnID == first)
    #expect(timeline.activities.allSatisfy { $0.turnID != nil })
    #expect(
      timeline.activities.map(row) == [
        "rs_1 | thinking | Thought through it | Thinking",
        "ws_1:search:1 | exploring | Searched web for weather",
        "c1 | exploring | Explored | 1 file",
        "c1b | exploring | Explored | 1 file",
        "c2:1:a.txt | file_edited | Edited | Added file | a.txt +2 -0",
        "c2b:1:a.txt | file_edited | Edited | a.txt | a.txt +2 -1",
        "c0 | running_command | Command finished | touch c.txt",
        "c2c:1:a.txt | file_edited | Edited | Moved to b.txt | a.txt +1 -1",
        "c2c:2:c.txt | file_edited | Edited | Deleted file | c.txt +0 -0",
        "c3 | running_command | Called peek tool from tiny MCP",
        "01a212c2-88a5-7831-97a8-8616121feb6c | context_compacted | Context automatically compacted",
        "c4 | running_command | Command finished | Exit code -1 | sleep 2",
      ])
    #expect(timeline.olderCursor == nil && timeline.skippedLines == 0)
    #expect(timeline.activities.allSatisfy { $0.state == .completed && $0.createdAt >= 1_795_611_067 })
  }

  @Test func theOlderWayToWriteIsReadToo() throws {
    let timeline = try TestRollout.timeline(TestRollout.bytes("legacy"))
    #expect(timeline.messages.map(\.text) == ["go", "I look.", "The end.", "and now", "after"])
    #expect(timeline.messages.map(\.phase) == [nil, .commentary, .finalAnswer, nil, nil])
    #expect(
      timeline.activities.map(row) == [
        "ws_1:search:1 | exploring | Searched web for weather",
        "c2:1:a.txt | file_edited | Edited | Added file | a.txt +2 -0",
        "c3 | running_command | Called peek tool from tiny MCP",
        "context_compacted:1795612211 | context_compacted | Context automatically compacted",
      ])
  }

  @Test func anInterruptedTurnHasWhatWasThere() throws {
    let timeline = try TestRollout.timeline(TestRollout.bytes("interrupted"))
    #expect(timeline.messages.map(\.text) == ["wait", "I wait.", "again", "x"])
    #expect(timeline.activities.map(row) == ["c1 | running_command | Command finished | Exit code -1 | sleep 30"])
  }

  @Test func commandsOfCodeModeAreShown() throws {
    let timeline = try TestRollout.timeline(TestRollout.bytes("codemode"))
    #expect(timeline.messages.map(\.text) == ["go", "End."])
    #expect(timeline.activities.map(\.kind) == [.runningCommand, .fileEdited])
  }

  @Test(arguments: [1, 13, 4_096]) func theTimelineIsTheSameHoweverTheBytesCome(step: Int) throws {
    let bytes = try TestRollout.bytes("full")
    #expect(TestRollout.timeline(bytes, step: step) == TestRollout.timeline(bytes))
  }

  @Test func aFileThatEndsAnywhereIsNoError() throws {
    let bytes = try TestRollout.bytes("interrupted")
    let whole = TestRollout.timeline(bytes)
    for end in stride(from: 0, through: bytes.count, by: 101) {
      let part = TestRollout.timeline(Array(bytes[..<end]))
      #expect(part.messages.elementsEqual(whole.messages.prefix(part.messages.count)))
    }
    #expect(TestRollout.timeline(Array(bytes.dropLast())) == whole, "The last line counts without its end.")
  }

  @Test func badLinesAnywhereArePassedOver() throws {
    let bad =
      ["not json", "{}", "[]", "null", "\u{0}\u{FFFD}", #"{"type":"event_msg"}"#, #"{"type":3,"payload":[]}"#]
      + [#"{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"x"#]
      + [#"{"type":"event_msg","payload":{"type":"item_completed","item":7}}"#, String(repeating: "[", count: 5_000)]
    let lines = try TestRollout.bytes("full").split(separator: 0x0A)
    var bytes: [UInt8] = [0xFF, 0xFE, 0x0A]
    for (index, line) in lines.enumerated() {
      bytes += Array(bad[index % bad.count].utf8) + [0x0A] + line + [0x0A]
    }
    let timeline = TestRollout.timeline(bytes)
    #expect(try timeline.messages.map(\.text) == TestRollout.timeline(TestRollout.bytes("full")).messages.map(\.text))
    #expect(timeline.messages.first?.id == "\(chat):user:19", "Bad lines are counted.")
    #expect(timeline.activities.count == 12)
  }

  @Test(arguments: [
    #"{"type":"CommandExecution","id":"x","command":"no list","exit_code":1e300,"parsed_cmd":{}}"#,
    #"{"type":"CommandExecution","id":"x","command":[1,{}],"parsed_cmd":[null,{"type":2}]}"#,
    #"{"type":"FileChange","id":"x","changes":{"":{"type":"update"},"/":{"type":"add"},"a":{"type":"new"},"b":1}}"#,
    #"{"type":"McpToolCall","id":"x"}"#, #"{"type":"WebSearch","id":"x","action":{"queries":[1]}}"#,
    #"{"type":"Reasoning","id":"x","summary_text":[]}"#, #"{"type":"Later","id":"x"}"#,
    #"{"type":"UserMessage","id":"x"}"#,
    #"{"type":"AgentMessage","id":"x","content":[{"type":"Text","text":" "}],"phase":"later"}"#, #"{"type":"Plan"}"#,
  ])
  func itemsOfOtherShapesEndNothing(item: String) {
    let timeline = TestRollout.timeline(Array((TestRollout.item(item) + TestRollout.user("after")).utf8))
    #expect(timeline.messages.map(\.text) == ["after"])
  }

  @Test func extremeTimesEndNothing() {
    for time in ["9223372036854774784", "-5", "1e400", "\"x\"", "0.5"] {
      let line =
        #"{"timestamp":"+292277026596-12-04T15:30:07Z","type":"event_msg","payload":{"type":"item_completed","#
        + #""item":{"type":"ContextCompaction","id":"c"},"started_at_ms":\#(time),"completed_at_ms":\#(time)}}"#
      let text = line + "\n" + TestRollout.user("q", at: 5) + TestRollout.agent("a", phase: "final_answer", at: 1)
      #expect(TestRollout.timeline(Array(text.utf8)).messages.map(\.workedDurationSeconds) == [nil, nil])
    }
  }

  @Test func aMessageWithoutTextIsSeen() {
    let image =
      #"{"type":"UserMessage","id":"u","content":[{"type":"image","image_url":"data:image/png;base64,AAAA"}]}"#
    #expect(TestRollout.timeline(Array(TestRollout.item(image).utf8)).messages.map(\.text) == ["[attachment]"])
  }

  @Test func whatFailedEditedNothing() {
    let item = #"{"type":"FileChange","id":"x","status":"declined","changes":{"a":{"type":"add","content":"x"}}}"#
    #expect(TestRollout.timeline(Array(TestRollout.item(item).utf8)).activities.isEmpty)
  }

  @Test func pagesMakeUpTheWhole() {
    var text = TestRollout.session(chat)
    for index in 0..<25 { text += TestRollout.user("question \(index)") + TestRollout.agent("answer \(index)") }
    let bytes = Array(text.utf8)
    let whole = TestRollout.timeline(bytes)
    var messages: [ChatMessage] = []
    var cursor: Int?
    repeat {
      let page = TestRollout.timeline(bytes, before: cursor, limit: 7)
      #expect(page.messages.count <= 7)
      messages = page.messages + messages
      cursor = page.olderCursor
    } while cursor != nil
    #expect(messages == whole.messages && whole.messages.count == 50)
  }

  @Test(arguments: [-1, 0, 1, .max, .min]) func aCursorMayBeAnything(cursor: Int) {
    let bytes = Array(TestRollout.user("one").utf8)
    #expect(TestRollout.timeline(bytes, before: cursor, limit: cursor).messages.count == (cursor == .max ? 1 : 0))
  }

  @Test func aPageIsBounded() {
    var limits = HistoryLimits()
    limits.entries = 100
    limits.pageBytes = 20_000
    limits.textBytes = 1_000
    limits.line = 50_000
    var text = ""
    for index in 0..<500 { text += TestRollout.user("\(index) " + String(repeating: "é", count: 3_000)) }
    text += TestRollout.user(String(repeating: "x", count: 60_000)) + TestRollout.user("last")
    let timeline = TestRollout.timeline(Array(text.utf8), limits: limits)
    #expect(timeline.messages.last?.text == "last" && timeline.skippedLines == 1)
    #expect((10...100).contains(timeline.messages.count))
    #expect(timeline.messages.map(\.text.utf8.count).reduce(0, +) <= 20_000)
    #expect(timeline.messages.first?.text.hasSuffix("[Message truncated]") == true)
    #expect(timeline.olderCursor.map { $0 > 400 } == true)
  }
}
