package import ResolveKitCore

/// Something that Codex wants to do and asks about.
package struct ApprovalSubject: Hashable, Sendable {
  /// A file of a change, and what the change does to it.
  package struct FileChange: Hashable, Sendable {
    package var path: String
    /// The change in Codex's form: hunks of a unified diff, or the text of a new or deleted file.
    package var diff: String

    package init(path: String, diff: String) {
      self.path = path
      self.diff = diff
    }
  }

  /// The kind in one word, such as `command`, for the audit log.
  package let kind: String
  /// All of it, for the audit log.
  package let exact: JSONValue
  /// The scope of a decision that outlives this question; nil where it is for this question alone.
  package let scope: AllowanceScope?

  /// A command; `question` is the parameters of its request.
  package static func command(_ question: JSONObject) -> ApprovalSubject {
    ApprovalSubject(kind: "command", exact: .object(question), scope: .command(question))
  }

  package static func fileChange(_ changes: [FileChange]) -> ApprovalSubject {
    ApprovalSubject(
      kind: "fileChange",
      exact: .array(changes.map { ["path": .string($0.path), "diff": .string($0.diff)] }),
      scope: .fileChange(paths: changes.map(\.path)))
  }

  /// A call of an MCP server's tool. Without the tool's definition it may be allowed once only.
  package static func mcpTool(
    server: String, tool: String, definition: JSONValue?, arguments: JSONValue
  ) -> ApprovalSubject {
    ApprovalSubject(
      kind: "mcp", exact: ["server": .string(server), "tool": .string(tool), "arguments": arguments],
      scope: definition.map { .mcpTool(server: server, tool: tool, definition: $0) })
  }

  /// Any other request, or one that could not be read: it may be allowed once only.
  package static func other(kind: String, _ question: JSONValue) -> ApprovalSubject {
    ApprovalSubject(kind: kind, exact: question, scope: nil)
  }
}
