import ResolveKitCore
package import ResolveKitSession

/// For a person at a terminal: text as it streams, everything else on lines of its own, nothing painted over.
package struct TerminalRenderer: UpdateRenderer {
  private let style: OutputStyle
  private let statusStyle: OutputStyle
  private let columns: () -> Int
  private var text = StreamedText()
  private var markdown: MarkdownStream?
  private var isMidLine = false
  private var connection: ResolveKitConnectionUpdate?
  private var shownReason: String?
  private var shownState: ResolveKitConnectionState?
  /// Calls whose tools have started.
  private var runningCalls: Set<String> = []

  /// - Parameters:
  ///   - style: of the answer.
  ///   - statusStyle: of everything else.
  ///   - columns: asked whenever text comes; what is begun keeps its width.
  package init(style: OutputStyle, statusStyle: OutputStyle, columns: @escaping () -> Int = { 80 }) {
    self.style = style
    self.statusStyle = statusStyle
    self.columns = columns
  }

  package mutating func render(_ update: ResolveKitRuntimeUpdate) -> [TerminalOutput] {
    switch update {
    case .connection(let connection): return note(connection)
    case .session, .event, .turnStarted, .batch, .approvalWithdrawn, .localized, .themed, .note: return []
    // The question stands on lines of its own.
    case .approvalNeeded: return endText()
    case .feedback(let isRequested): return isRequested ? line("how was it? /feedback takes 1 to 5, and words") : []
    case .delivery(_, let text, let delivery): return line(Self.words(on: delivery, of: text))
    case .skippedEvent(_, let reason): return line("an unreadable event was passed over: \(reason)")
    case .text(_, let appended): return show(text.append(appended))
    case .textCorrected(_, let whole): return correct(to: whole)
    case .message(let message): return show(message)
    case .escalated(let reason): return line("a person takes over: \(reason)")
    case .tool(let callID, let name, let status): return note(callID, name, status)
    case .forgotten: return line(Self.forgottenWords)
    case .turn(let turn): return end(turn)
    }
  }

  /// The words for a message that is held back, or that never became a turn.
  package static func words(on delivery: ResolveKitMessageDelivery, of text: String) -> String {
    let line = TerminalText.line(text)
    let begin = line.count > 60 ? line.prefix(59) + "…" : line[...]
    return switch delivery {
    case .held: "an earlier turn still runs on the server; the message waits for its end"
    case .unknown: "not known whether it arrived: \(begin)"
    case .notSent: "not sent: \(begin)"
    }
  }

  /// The report of a conversation that the server has forgotten.
  package static let forgottenInPipe =
    "the server no longer has this conversation: the agent knows nothing of what was said"
  private static let forgottenWords = "\(forgottenInPipe); /recall sends it along"

  private mutating func line(_ words: String) -> [TerminalOutput] {
    endText() + [TerminalOutput.statusLine("[\(words)]", style: statusStyle)]
  }

  /// Shows all that was held back of the text so far; what follows begins a new line.
  private mutating func endText() -> [TerminalOutput] {
    var rest = markdown?.finish() ?? ""
    markdown = nil
    if isMidLine || !rest.isEmpty { rest += "\n" }
    isMidLine = false
    return rest.isEmpty ? [] : [.answer(rest)]
  }

  /// Lines are no longer than a person likes to read.
  private var width: Int { min(columns(), 100) }

  private mutating func correct(to whole: String) -> [TerminalOutput] {
    let (new, isContinued) = text.advance(to: whole)
    return (isContinued ? [] : endText()) + show(new)
  }

  private mutating func show(_ new: String) -> [TerminalOutput] {
    guard !new.isEmpty else { return [] }
    var shown = new
    if style == .styled {
      let width = width
      if markdown == nil { markdown = MarkdownStream(width: width) }
      shown = markdown?.append(new, width: width) ?? ""
    }
    guard !shown.isEmpty else { return [] }
    isMidLine = !shown.hasSuffix("\n")
    return [.answer(shown)]
  }

  private mutating func show(_ message: ResolveKitChatMessage) -> [TerminalOutput] {
    let before = endText()
    let name =
      switch message.role {
      case .user: "you"
      case .assistant: "agent"
      case .humanAgent: "a person"
      case .system: "system"
      }
    var words = TerminalText.safe(message.text)
    if style == .styled, message.role != .user {
      var stream = MarkdownStream(width: width)
      words = stream.append(words, width: width) + stream.finish()
    }
    return before + [
      TerminalOutput.statusLine("[\(name)]", style: statusStyle), .answer(words + (words.hasSuffix("\n") ? "" : "\n")),
    ]
  }

  /// One line for each wait, with a cause that was not printed before: a backend may be away for long. That all is well
  /// stands above the prompt, with the round trip.
  private mutating func note(_ update: ResolveKitConnectionUpdate) -> [TerminalOutput] {
    var new = update
    let before = connection?.state == new.state ? connection : nil
    // Between two attempts it shows how long the wait is, and not again which attempt that was.
    if new.attempt == 0 { new.attempt = before?.attempt ?? 0 }
    defer { connection = new }
    let isNews =
      before == nil || (new.nextTry != nil && new.nextTry != before?.nextTry)
      || (new.attempt != before?.attempt && before?.nextTry == nil)
    // The last line must not stay one of a loss that is over.
    let isEndOfLoss = new.state == .active && shownState == .reconnecting
    guard isNews, new.state != .idle, new.state != .active || isEndOfLoss else { return [] }
    shownState = new.state
    var reported = new
    if new.reason == shownReason, before != nil { reported.reason = nil }
    shownReason = new.reason
    // The text continues after this, so that what is held back of it stays so.
    defer { isMidLine = false }
    let line = TerminalOutput.statusLine(TerminalStatus(reported).line, style: statusStyle)
    return (isMidLine ? [.answer("\n")] : []) + [line]
  }

  private mutating func note(_ callID: String, _ name: String, _ status: ToolCallItemStatus) -> [TerminalOutput] {
    let wasRunning = runningCalls.contains(callID)
    if status == .running { runningCalls.insert(callID) } else { runningCalls.remove(callID) }
    return switch status {
    case .pendingApproval: []
    case .running: line("\(name) runs")
    case .completed: line("\(name) is done")
    case .cancelled(let reason):
      line("\(name) was \(wasRunning ? "stopped" : "not run")" + (reason.map { ": \($0)" } ?? ""))
    case .failed(let reason): line("\(name) failed: \(reason)")
    }
  }

  private mutating func end(_ turn: ResolveKitFinishedTurn) -> [TerminalOutput] {
    var outputs = correct(to: turn.text) + endText()
    text.reset()
    switch turn.status {
    case .complete: break
    case .failed: outputs += line("the turn failed" + (turn.reason.map { ": \($0)" } ?? ""))
    case .cancelled: outputs += line("stopped")
    }
    return outputs
  }
}
