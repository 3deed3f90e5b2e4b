import Foundation
import ResolveKitCore

/// A conversation as a document.
struct TerminalTranscript {
  struct Unwritable: Error, CustomStringConvertible {
    let description: String
  }

  var messages: [ResolveKitChatMessage]
  var batches: [ToolCallChecklistBatch]

  /// JSON lines for names that end in `.jsonl`, else Markdown; for its owner alone. Throws ``Unwritable`` where the file
  /// exists or can't be written.
  func write(to path: String) throws {
    let text = path.hasSuffix(".jsonl") ? jsonLines : markdown
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = errno == EEXIST ? "there is such a file; give another name" : String(cString: strerror(errno))
      throw Unwritable(description: "\(path) was not written: \(reason)")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do { try handle.write(contentsOf: Data(text.utf8)) } catch {
      throw Unwritable(description: "\(path) was not written whole: \(error)")
    }
  }

  /// The calls of a turn stand before its answer.
  private func calls(before message: ResolveKitChatMessage) -> [ToolCallChecklistItem] {
    batches.filter { $0.turnID == message.id }.flatMap(\.items)
  }

  private var unanswered: [ToolCallChecklistItem] {
    let answered = Set(messages.map(\.id))
    return batches.filter { !answered.contains($0.turnID) }.flatMap(\.items)
  }

  /// A person reads it, maybe on a terminal, so that controls are left out.
  var markdown: String {
    let parts = messages.flatMap { message in
      Self.list(calls(before: message))
        + ["## \(Self.name(message.role))\n\n" + TerminalText.safe(message.text) + "\n"]
    }
    return (["# Conversation\n"] + parts + Self.list(unanswered)).joined(separator: "\n")
  }

  /// One part of the document, or none.
  private static func list(_ items: [ToolCallChecklistItem]) -> [String] {
    items.isEmpty ? [] : [items.map(line).joined()]
  }

  private static func line(_ item: ToolCallChecklistItem) -> String {
    "- `\(item.functionName.visible)` \(item.call.displayedArguments): \(item.status.name)\n"
  }

  private static func name(_ role: ResolveKitChatMessage.Role) -> String {
    switch role {
    case .user: "You"
    case .assistant: "Agent"
    case .humanAgent: "Person"
    case .system: "System"
    }
  }

  /// Exact bytes: JSON escapes what is dangerous.
  var jsonLines: String {
    let lines = messages.flatMap { message in
      calls(before: message).map(Self.json) + [
        JSONValue.object([
          "kind": .string("message"), "id": .string(message.id), "role": .string(message.role.rawValue),
          "text": .string(message.text),
        ]).visibleText
      ]
    }
    return (lines + unanswered.map(Self.json)).map { $0 + "\n" }.joined()
  }

  /// The arguments twice: as values, and as the text that came.
  private static func json(_ item: ToolCallChecklistItem) -> String {
    let others = JSONValue.object([
      "arguments_text": .string(item.call.argumentsText), "call_id": .string(item.id), "kind": .string("tool"),
      "name": .string(item.functionName), "status": .string(item.status.name),
    ])
    return "{\"arguments\":\(item.call.exactArguments.visibleText),\(others.visibleText.dropFirst())"
  }
}
