/// Something that codex wants to do, and its outcome.
package struct QuestionPlan: Codable, Equatable, Sendable {
  package enum Kind: String, Codable, CaseIterable, Sendable {
    case command
    case fileChange
    /// A call of an MCP server's tool, the only kind that may be allowed permanently.
    case tool
  }

  /// What a device says to it.
  package struct Reaction: Codable, Equatable, Sendable {
    package enum Answer: String, Codable, CaseIterable, Sendable {
      case approve
      case decline
      case allowForSession = "allow_for_session"
      case allowAlways = "allow_always"
    }

    package var answer: Answer
    /// Milliseconds until it is said.
    package var after: Int
  }

  package var kind: Kind
  /// The matter: two questions of one kind and matter have the same scope.
  package var matter: Int
  /// Milliseconds that codex waits for an answer.
  package var patience: Int
  /// Milliseconds that it runs when it may.
  package var duration: Int
  /// By the numbers of the devices; nil: the device says nothing.
  package var reactions: [Reaction?]

  var scope: String { "\(kind.rawValue)-\(matter)" }
}
