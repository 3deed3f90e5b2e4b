/// A person's decision on something that Codex wants to do.
package enum ApprovalAnswer: String, Hashable, Sendable, CaseIterable {
  case approve
  case decline
  case allowForSession = "allow_for_session"
  case allowAlways = "allow_always"
}
