import ResolveKitTerminal
import ResolveKitUI

/// For pipes: the answer alone on standard output, what a person should know on standard error.
///
/// The answer is written when it is complete: what was printed can't be taken back if the server corrects it.
struct AnswerRenderer: UpdateRenderer {
  private var state: ResolveKitConnectionState?

  mutating func render(_ update: ResolveKitRuntimeUpdate) -> [TerminalOutput] {
    switch update {
    case .connection(let connection): return note(connection)
    case .skippedEvent(let id, let reason):
      return [.status("chat: event \(TerminalText.line(id)) was passed over: \(TerminalText.line(reason))\n")]
    case .delivery(_, let text, let delivery):
      return [.status("chat: \(TerminalRenderer.words(on: delivery, of: text))\n")]
    case .tool(_, let name, .failed(let reason)):
      return [.status("chat: \(TerminalText.line(name)) failed: \(TerminalText.line(reason))\n")]
    case .turn(let turn): return end(turn)
    case .escalated(let reason): return [.status("chat: a person takes over: \(TerminalText.line(reason))\n")]
    case .forgotten: return [.status("chat: \(TerminalRenderer.forgottenInPipe)\n")]
    case .session, .event, .turnStarted, .text, .textCorrected, .batch, .approvalNeeded, .approvalWithdrawn, .tool,
      .message, .feedback, .localized, .themed, .note:
      return []
    }
  }

  private static func suffix(_ reason: String?) -> String {
    reason.map { ": \(TerminalText.line($0))" } ?? ""
  }

  /// Trouble and its end are worth a line, the ordinary way to a connection isn't.
  private mutating func note(_ connection: ResolveKitConnectionUpdate) -> [TerminalOutput] {
    defer { state = connection.state }
    guard connection.state != state else { return [] }
    switch connection.state {
    case .reconnecting, .reconnected:
      return [.status("chat: \(connection.state.rawValue)\(Self.suffix(connection.reason))\n")]
    // What ends the conversation is said by the program, once.
    case .idle, .registering, .connecting, .active, .failed, .blocked: return []
    }
  }

  private func end(_ turn: ResolveKitFinishedTurn) -> [TerminalOutput] {
    var outputs: [TerminalOutput] = []
    if !turn.text.isEmpty {
      outputs.append(.answer(TerminalText.safe(turn.text) + (turn.text.hasSuffix("\n") ? "" : "\n")))
    }
    switch turn.status {
    case .complete: break
    case .failed: outputs.append(.status("chat: the turn failed\(Self.suffix(turn.reason))\n"))
    case .cancelled: outputs.append(.status("chat: the turn was stopped\n"))
    }
    return outputs
  }
}
