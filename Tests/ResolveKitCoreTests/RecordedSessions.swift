@testable import ResolveKitCore

/// The sessions that are cut everywhere; short, since every byte of them is a run.
extension SessionScript {
  static let recorded: [(name: String, script: SessionScript)] = [
    ("text", text), ("one tool", oneTool), ("parallel tools", parallelTools), ("approval", approval),
    ("error", error), ("escalation", escalation), ("out of band", outOfBand), ("old calls", oldCalls),
    ("idempotent tool", idempotentTool),
  ]

  private static func make(_ build: (inout SessionScript) -> Void) -> SessionScript {
    var script = SessionScript()
    build(&script)
    return script
  }

  private static let text = make {
    $0.delta("Hé")
    $0.delta("llo 😀")
    $0.complete()
  }

  private static let oneTool = make {
    $0.delta("a")
    $0.call("c", "auto")
    $0.await("c")
    $0.delta("b")
    $0.complete()
  }

  private static let parallelTools = make {
    $0.call("c", "auto")
    $0.call("d", "auto")
    $0.await("c")
    $0.await("d")
    $0.delta("b")
    $0.complete()
  }

  private static let approval = make {
    $0.call("c", "asks")
    $0.call("d", "asks")
    $0.await("c")
    $0.await("d")
    $0.complete()
  }

  private static let error = make {
    $0.delta("a")
    $0.call("c", "auto")
    $0.await("c")
    $0.event("error", ["code": "llm_error", "message": "no", "recoverable": false])
    $0.status = .failed
  }

  private static let escalation = make {
    $0.delta("a")
    $0.event("session_escalated", ["reason": "a person"])
    $0.event("human_message", ["text": "hello", "message_id": "m"], turnID: "x", requestID: "y")
    $0.status = .failed
  }

  private static let outOfBand = make {
    $0.delta("a")
    $0.event("human_message", ["text": "hello", "message_id": "m"], turnID: "x", requestID: "y")
    $0.event("feedback_requested", ["immediate": false])
    $0.event("tool_call_request", ["call_id": "c", "function_name": "auto"], turnID: "z", requestID: "z")
    $0.event("turn_complete", ["full_text": "other"], turnID: "z", requestID: "z")
    $0.delta("b")
    $0.complete()
  }

  /// A session of before, whose log is replayed: its calls are history.
  private static let oldCalls = make {
    $0.history = [
      HistoryMessage(id: "1", role: "user", content: "before"),
      HistoryMessage(id: "2", role: "assistant", content: "old answer"),
    ]
    $0.event("tool_call_request", ["call_id": "c", "function_name": "auto"], turnID: "old", requestID: "old")
    $0.event("turn_complete", ["full_text": "old answer"], turnID: "old", requestID: "old")
    $0.awaitMessage()
    $0.call("c", "auto")
    $0.await("c")
    $0.delta("b")
    $0.complete()
  }

  private static let idempotentTool = make {
    $0.call("c", "again")
    $0.await("c")
    $0.delta("b")
    $0.complete()
  }

  /// The turn's text once that event has taken effect.
  func text(after id: String) -> String {
    var text = ""
    for case .event(let other, let type, let data) in steps {
      if type == "assistant_text_delta", let envelope = try? ResolveKitEnvelope(parsing: data),
        let accumulated = envelope.payload["accumulated"]?.stringValue
      {
        text = accumulated
      }
      if other == id { break }
    }
    return text
  }
}
