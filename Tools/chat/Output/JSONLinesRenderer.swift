import ResolveKitCore
import ResolveKitTerminal
import ResolveKitUI
import StreamTransport
import ToolSupport

/// One JSON object a line, for programs. The model's words keep every character: JSON escapes what may steer a terminal.
struct JSONLinesRenderer: UpdateRenderer {
  mutating func render(_ update: ResolveKitRuntimeUpdate) -> [TerminalOutput] {
    switch update {
    case .connection(let connection): [.answer(line(connection))]
    case .session(let id, let transport):
      line("session") { line in
        line.add("schema", .number(1))
        line.add("session_id", .string(id))
        line.add("transport", .string(transport.rawValue))
      }
    case .forgotten(let id): line("forgotten") { $0.add("session_id", .string(id)) }
    case .event(let event): [.answer(line(event))]
    case .delivery(let requestID, let text, let delivery):
      line("message") { line in
        line.add("request_id", .string(requestID))
        line.add("delivery", .string(delivery.rawValue))
        line.add("text", .string(text))
      }
    case .tool(let callID, let name, let status):
      line("tool") { line in
        line.add("call_id", .string(callID))
        line.add("name", .string(name))
        line.add("status", .string(status.name))
        switch status {
        case .pendingApproval, .running, .completed, .cancelled(nil): break
        case .cancelled(let reason?), .failed(let reason): line.add("reason", .string(reason))
        }
      }
    case .turn(let turn):
      line("turn") { line in
        line.add("turn_id", turn.turnID.map { .string($0) } ?? .null)
        line.add("status", .string(turn.status.rawValue))
        line.add("text", .string(turn.text))
        if let reason = turn.reason { line.add("reason", .string(reason)) }
      }
    case .skippedEvent(let id, let reason):
      [.status("chat: event \(TerminalText.line(id)) was passed over: \(TerminalText.line(reason))\n")]
    // These say again what the lines above say.
    case .turnStarted, .text, .textCorrected, .batch, .approvalNeeded, .approvalWithdrawn, .message, .escalated,
      .feedback, .localized, .themed, .note:
      []
    }
  }

  private func line(_ kind: String, _ fill: (inout JSONLine) -> Void) -> [TerminalOutput] {
    var line = JSONLine(kind: kind)
    fill(&line)
    return [.answer(line.text)]
  }

  private func line(_ connection: ResolveKitConnectionUpdate) -> String {
    var line = JSONLine(kind: "connection")
    line.add("state", .string(connection.state.rawValue))
    line.add("attempt", .number(Double(connection.attempt)))
    if let next = connection.nextTry {
      line.add("next_try_ms", .number((next / .milliseconds(1)).rounded()))
    }
    line.add("reason", connection.reason.map { .string($0) } ?? .null)
    line.add("transport", connection.transport.map { .string($0.rawValue) } ?? .null)
    return line.text
  }

  private func line(_ event: ResolveKitAppliedEvent) -> String {
    var line = JSONLine(kind: "event")
    line.add("event_id", .string(event.eventID))
    line.add("type", .string(event.type))
    line.add("turn_id", event.turnID.map { .string($0) } ?? .null)
    // In full: a number in `JSONValue` keeps 53 bits only.
    line.add("at_ns", event.arrivedAt)
    guard let text = event.argumentsText else {
      line.add("payload", .object(event.payload))
      return line.text
    }
    line.add("payload", json: payload(event.payload, arguments: text))
    line.add("arguments_text", .string(text))
    return line.text
  }

  /// A call's payload with every digit of its arguments; without them where they cannot be read.
  private func payload(_ payload: JSONObject, arguments: String) -> String {
    var others = payload
    others["arguments"] = nil
    let rest = JSONValue.object(others).visibleText
    guard let exact = try? ResolveKitArguments(parsing: arguments) else { return rest }
    return "{\"arguments\":\(exact.visibleText)" + (others.isEmpty ? "" : ",") + rest.dropFirst()
  }
}
