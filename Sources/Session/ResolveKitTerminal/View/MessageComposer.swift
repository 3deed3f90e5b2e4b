import ResolveKitCore

/// The message that a person composes: its lines so far, the files that go with it, and its prompt.
@MainActor
final class MessageComposer {
  /// The most characters of the server's text in the prompt, which must leave room for the message.
  private static let longestPlaceholder = 24

  private let input: any LineInput
  private var draft = MessageDraft()
  private var attachments = MessageAttachments()
  /// Whether a line is being typed.
  private(set) var isPrompting = false

  init(input: any LineInput) {
    self.input = input
  }

  /// The names of the files that go with the message.
  var attachmentNames: [String] { attachments.names }

  /// Adds a file to the message.
  func attach(_ name: String, _ bytes: some Collection<UInt8>) throws(MessageAttachments.Refusal) {
    try attachments.add(name, bytes)
  }

  func removeAttachments() { attachments.removeAll() }

  /// The text to send: what was typed, and the files.
  func message(_ typed: String) -> String { attachments.message(typed) }

  /// Asks for a message until one is whole.
  ///
  /// - Parameter placeholder: the server's text for an empty composer; one that is too long is left out.
  func typedMessage(placeholder: String?) async -> LineAnswer {
    let words = TerminalText.line(placeholder ?? "").trimmed
    let first = (words.count <= Self.longestPlaceholder ? words : "") + "> "
    while true {
      let prompt = LinePrompt(draft.isContinued ? "… " : first, for: .message)
      isPrompting = true
      let answer = await input.line(prompt)
      isPrompting = false
      switch answer {
      case .line(let line):
        if let message = draft.take(line) { return .line(message) }
      case .overtaken: return answer
      case .end, .interrupted, .dropped:
        draft.discard()
        return answer
      }
    }
  }
}
