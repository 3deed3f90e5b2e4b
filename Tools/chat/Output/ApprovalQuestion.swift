import ResolveKitUI

/// The question about calls that wait for a person's word.
enum ApprovalQuestion {
  enum Answer: Equatable {
    case once
    case always
    case no
  }

  static func text(_ calls: [ResolveKitPendingToolCall]) -> String {
    var text = ""
    for call in calls {
      text += "The agent asks to run \(TerminalText.line(call.functionName))"
      text += " \(TerminalText.line(JSONValue.object(call.arguments).jsonText))\n"
      if !call.humanDescription.isEmpty { text += "  \(TerminalText.line(call.humanDescription))\n" }
    }
    return text + "Run \(calls.count == 1 ? "it" : "them")? y once, a always in this session, n no: "
  }

  /// Nil for a word that is no answer.
  static func answer(_ line: String) -> Answer? {
    switch line.lowercased().filter({ !$0.isWhitespace }) {
    case "y", "yes": .once
    case "a", "always": .always
    case "n", "no": .no
    default: nil
    }
  }
}
