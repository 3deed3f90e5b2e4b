import Crypto
import JSONService
package import ResolveKitCore

/// The exact matter that an allowance which outlives one question is bound to.
///
/// Two questions have the same scope only where everything that a yes would permit is the same: their scopes are compared by
/// the SHA-256 of all of it.
package struct AllowanceScope: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case mcpTool
    case command
    case fileChange
  }

  package let kind: Kind
  /// 64 hexadecimal digits.
  package let id: String
  /// A description for a person.
  package let summary: String

  /// The longest summary, in characters.
  static let maximumSummary = 256

  /// A tool of an MCP server, as long as its definition is the same.
  ///
  /// - Parameter definition: all that the server says of the tool, its name, description, schema and annotations.
  static func mcpTool(server: String, tool: String, definition: JSONValue) -> AllowanceScope {
    AllowanceScope(
      .mcpTool, ["server": .string(server), "tool": .string(tool), "definition": definition],
      "the tool \(tool.visibleJSON) of the MCP server \(server.visibleJSON)")
  }

  /// Members of a command's question that say when and where it was asked, or repeat the command. All the others, those of
  /// later versions among them, are a part of what a yes permits.
  private static let incidental: Set<String> = [
    "threadId", "turnId", "itemId", "approvalId", "startedAtMs", "reason", "commandActions", "availableDecisions",
    "proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments",
  ]

  /// The exact command in the same folder, with the same permissions; nil where the question doesn't name both.
  static func command(_ question: JSONObject) -> AllowanceScope? {
    guard let command = question["command"]?.stringValue, let folder = question["cwd"]?.stringValue else { return nil }
    let meaning = question.filter { !incidental.contains($0.key) && !$0.value.isNull }
    return AllowanceScope(.command, meaning, "the command \(command.visibleJSON) in \(folder.visibleJSON)")
  }

  /// Changes of exactly these files; nil for none.
  static func fileChange(paths: [String]) -> AllowanceScope? {
    let paths = Set(paths).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    guard !paths.isEmpty else { return nil }
    return AllowanceScope(
      .fileChange, ["paths": .array(paths.map { .string($0) })],
      "changes of " + paths.map(\.visibleJSON).joined(separator: ", "))
  }

  private init(_ kind: Kind, _ meaning: JSONObject, _ summary: String) {
    let value: JSONValue = ["kind": .string(kind.rawValue), "meaning": .object(meaning)]
    self.kind = kind
    id = Hexadecimal.text(SHA256.hash(data: value.serialized()))
    self.summary = ShownText.line(summary, limit: Self.maximumSummary)
  }

  /// Whether a decision on it may be kept on disk. A command or a change means something else another day.
  package var mayBeKept: Bool {
    switch kind {
    case .mcpTool: true
    case .command, .fileChange: false
    }
  }
}
