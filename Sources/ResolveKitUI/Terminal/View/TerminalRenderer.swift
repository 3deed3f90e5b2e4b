import ResolveKitCore

/// For a person at a terminal: text as it streams, everything else on lines of its own, nothing painted over.
package struct TerminalRenderer: UpdateRenderer {
  private let style: OutputStyle
  private let columns: () -> Int
  private var text = StreamedText()
  private var markdown: MarkdownStream?
  private var isMidLine = false
  private var connection: ResolveKitConnectionUpdate?

  /// `columns` is asked at the beginning of each text.
  package init(style: OutputStyle, columns: @escaping () -> Int = { 80 }) {
    self.style = style
    self.columns = columns
  }

  package mutating func render(_ update: ResolveKitRuntimeUpdate) -> [TerminalOutput] {
    switch update {
    case .connection(let connection): return note(connection)
    case .session, .event, .turnStarted, .batch, .approvalWithdrawn, .localized, .themed, .note: return []
    // The question stands on lines of its own.
    case .approvalNeeded: return endText()
    case .feedback(let isRequested): return isRequested ? line("how was it? /feedback takes 1 to 5, and words") : []
    case .skippedEvent(_, let reason): return line("an unreadable event was passed over: \(reason)")
    case .text(_, let appended): return show(text.shown + appended)
    case .textCorrected(_, let whole): return show(whole)
    case .message(let message): return show(message)
    case .escalated(let reason): return line("a person takes over: \(reason)")
    case .tool(_, let name, let status): return note(name, status)
    case .turn(let turn): return end(turn)
    }
  }

  /// A line that is not part of the conversation.
  package static func status(_ words: String, style: OutputStyle) -> TerminalOutput {
    let line = TerminalText.line(words)
    return .status((style == .styled ? TextStyle.dim.applied(to: line) : line) + "\n")
  }

  private mutating func line(_ words: String) -> [TerminalOutput] {
    endText() + [Self.status("[\(words)]", style: style)]
  }

  /// Shows all that was held back of the text so far; what follows begins a new line.
  private mutating func endText() -> [TerminalOutput] {
    var rest = markdown?.finish() ?? ""
    markdown = nil
    if isMidLine || !rest.isEmpty { rest += "\n" }
    isMidLine = false
    return rest.isEmpty ? [] : [.answer(rest)]
  }

  private mutating func show(_ whole: String) -> [TerminalOutput] {
    let (new, isContinued) = text.advance(to: whole)
    var output: [TerminalOutput] = isContinued ? [] : endText()
    guard !new.isEmpty else { return output }
    var shown = new
    if style == .styled {
      var stream = markdown ?? MarkdownStream(width: min(max(columns(), 20), 100))
      shown = stream.append(new)
      markdown = stream
    }
    guard !shown.isEmpty else { return output }
    isMidLine = !shown.hasSuffix("\n")
    output.append(.answer(shown))
    return output
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
      var stream = MarkdownStream(width: min(max(columns(), 20), 100))
      words = stream.append(words) + stream.finish()
    }
    return before + [Self.status("[\(name)]", style: style), .answer(words + (words.hasSuffix("\n") ? "" : "\n"))]
  }

  private mutating func note(_ new: ResolveKitConnectionUpdate) -> [TerminalOutput] {
    defer { connection = new }
    let isNews =
      new.state != connection?.state || new.attempt != connection?.attempt
      || (new.nextTry != nil && new.nextTry != connection?.nextTry)
    guard isNews, new.state != .idle else { return [] }
    // The text goes on after this, so that what is held back of it stays so.
    defer { isMidLine = false }
    return (isMidLine ? [.answer("\n")] : []) + [Self.status(TerminalStatus(new).line, style: style)]
  }

  private mutating func note(_ name: String, _ status: ToolCallItemStatus) -> [TerminalOutput] {
    switch status {
    case .pendingApproval: []
    case .running: line("\(name) runs")
    case .completed: line("\(name) is done")
    case .cancelled(let reason): line("\(name) was not run" + (reason.map { ": \($0)" } ?? ""))
    case .failed(let reason): line("\(name) failed: \(reason)")
    }
  }

  private mutating func end(_ turn: ResolveKitFinishedTurn) -> [TerminalOutput] {
    var outputs = show(turn.text) + endText()
    text.reset()
    switch turn.status {
    case .complete: break
    case .failed: outputs += line("the turn failed" + (turn.reason.map { ": \($0)" } ?? ""))
    case .cancelled: outputs += line("stopped")
    }
    return outputs
  }
}
