import ResolveKitCore

/// The question about calls that wait for a person's word.
package struct ApprovalQuestion {
  /// Characters of one call's arguments, and of the backend's description, that are shown without a request.
  package static let maximumArguments = 2000
  package static let maximumDescription = 500

  private let calls: [ResolveKitPendingToolCall]
  private let arguments: [String]
  private let columns: Int

  /// - Parameter columns: of the terminal.
  package init(_ calls: [ResolveKitPendingToolCall], columns: Int = .max) {
    self.calls = calls
    self.columns = columns
    arguments = calls.map(\.displayedArguments)
  }

  /// Whether ``text(isWhole:)`` leaves something of the arguments out.
  package var isCut: Bool { arguments.contains { $0.count > Self.maximumArguments } }

  /// The text before ``prompt``: each call with its arguments as they will be run. What is left out of them is said.
  package func text(isWhole: Bool = false) -> String {
    var text = ""
    for (call, arguments) in zip(calls, arguments) {
      text += "The agent asks to run \(call.functionName.visible) \(isWhole ? arguments : Self.cut(arguments))\n"
      guard !call.humanDescription.isEmpty else { continue }
      let words = call.humanDescription.split { $0.isNewline || $0 == "\t" }.joined(separator: " ").visible
      // Indented to its end: none of its lines may look like the first one.
      let lines = TerminalWrap.lines("  " + Self.cut(words, to: Self.maximumDescription), width: columns)
      text += lines.map { $0 + "\n" }.joined()
    }
    return text
  }

  package var prompt: String {
    "Run \(calls.count == 1 ? "it" : "them")? y once, s in this session, a always, n no, never"
      + (isCut ? ", v view all" : "") + ": "
  }

  private static func cut(_ text: String, to limit: Int = maximumArguments) -> String {
    let count = text.count
    guard count > limit else { return text }
    return text.prefix(limit) + "… [cut: \(limit) of \(count) characters are shown]"
  }
}
