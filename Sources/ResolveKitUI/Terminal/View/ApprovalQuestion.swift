import ResolveKitCore

/// The question about calls that wait for a person's word.
package enum ApprovalQuestion {
  package enum Answer: Equatable {
    case once
    case session
    case always
    case no
    case never
  }

  /// What is asked, before ``prompt(_:)``: each call with all its arguments, as they will be run.
  package static func text(_ calls: [ResolveKitPendingToolCall]) -> String {
    var text = ""
    for call in calls {
      text += "The agent asks to run \(TerminalText.line(call.functionName))"
      text += " \(TerminalText.line(JSONValue.object(call.arguments).jsonText))\n"
      if !call.humanDescription.isEmpty { text += "  \(TerminalText.line(call.humanDescription))\n" }
    }
    return text
  }

  package static func prompt(_ calls: [ResolveKitPendingToolCall]) -> String {
    "Run \(calls.count == 1 ? "it" : "them")? y once, s in this session, a always, n no, never: "
  }

  /// Nil for a word that is no answer.
  package static func answer(_ line: String) -> Answer? {
    switch line.lowercased().filter({ !$0.isWhitespace }) {
    case "y", "yes": .once
    case "s", "session": .session
    case "a", "always": .always
    case "n", "no": .no
    case "never": .never
    default: nil
    }
  }
}
