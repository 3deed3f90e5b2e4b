import ResolveKitUI
import StreamTransport

/// For a person at a terminal: text as it streams, everything else on lines of its own, nothing painted over.
struct TerminalRenderer: Renderer {
  private var text = StreamedText()
  private var isMidLine = false
  private var connection: ResolveKitConnectionUpdate?

  mutating func render(_ update: ResolveKitRuntimeUpdate) -> [Output] {
    switch update {
    case .connection(let connection): return note(connection)
    case .session, .event, .turnStarted, .batch, .approvalNeeded, .approvalWithdrawn, .feedback, .localized, .themed,
      .note:
      return []
    case .skippedEvent(_, let reason): return line("an unreadable event was passed over: \(reason)")
    case .text(_, let appended): return show(text.shown + appended)
    case .textCorrected(_, let whole): return show(whole)
    case .message(let message): return line("\(message.role.rawValue): \(message.text)")
    case .escalated(let reason): return line("a person takes over: \(reason)")
    case .tool(_, let name, let status): return note(name, status)
    case .turn(let turn): return end(turn)
    }
  }

  /// One line that tells the connection's state, transport and round-trip time.
  static func status(_ connection: ResolveKitConnectionUpdate, _ snapshot: ConnectionSnapshot?) -> String {
    var parts = [connection.state.rawValue]
    if let transport = snapshot?.connection.transport ?? connection.transport {
      parts.append(transport == .http3 ? "HTTP/3" : "HTTP/1.1")
    }
    if let roundTrip = snapshot?.roundTrip {
      let microseconds = roundTrip / .microseconds(1)
      let tenths = Int(exactly: (microseconds / 100).rounded()) ?? 0
      parts.append("round trip \(tenths / 10).\(tenths % 10) ms")
    }
    if connection.attempt > 0 { parts.append("attempt \(connection.attempt)") }
    if let reason = connection.reason { parts.append(TerminalText.line(reason)) }
    return "[\(parts.joined(separator: " · "))]\n"
  }

  private mutating func line(_ words: String) -> [Output] {
    breakLine() + [.status("[\(TerminalText.line(words))]\n")]
  }

  private mutating func breakLine() -> [Output] {
    defer { isMidLine = false }
    return isMidLine ? [.answer("\n")] : []
  }

  private mutating func show(_ whole: String) -> [Output] {
    let new = text.advance(to: whole)
    guard !new.isEmpty else { return [] }
    isMidLine = !new.hasSuffix("\n")
    return [.answer(new)]
  }

  private mutating func note(_ new: ResolveKitConnectionUpdate) -> [Output] {
    defer { connection = new }
    let isNews = new.state != connection?.state || new.attempt != connection?.attempt
    guard isNews, new.state != .idle else { return [] }
    return breakLine() + [.status(Self.status(new, nil))]
  }

  private mutating func note(_ name: String, _ status: ToolCallItemStatus) -> [Output] {
    switch status {
    case .pendingApproval: []
    case .running: line("\(name) runs")
    case .completed: line("\(name) is done")
    case .cancelled(let reason): line("\(name) was not run" + (reason.map { ": \($0)" } ?? ""))
    case .failed(let reason): line("\(name) failed: \(reason)")
    }
  }

  private mutating func end(_ turn: ResolveKitFinishedTurn) -> [Output] {
    var outputs = show(turn.text) + breakLine()
    text.reset()
    switch turn.status {
    case .complete: break
    case .failed: outputs += line("the turn failed" + (turn.reason.map { ": \($0)" } ?? ""))
    case .cancelled: outputs += line("stopped")
    }
    return outputs
  }
}
