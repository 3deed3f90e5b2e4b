/// A person's decision on something that Codex wants to do.
package enum ApprovalAnswer: String, Hashable, Sendable, CaseIterable {
  case approve
  case decline
  /// Neither a yes nor a no, for a question of an MCP server's own.
  case cancel
  case allowForSession = "allow_for_session"
  case allowAlways = "allow_always"
}
