/// A person's answer to a question about an approval.
package enum TypedApproval: Equatable, Sendable {
  case once
  case session
  case always
  case no
  case never
  /// Show all of what was cut.
  case view

  /// Reads a typed line; nil for one that is no answer.
  package init?(typed line: String) {
    switch line.lowercased().filter({ !$0.isWhitespace }) {
    case "y", "yes": self = .once
    case "s", "session": self = .session
    case "a", "always": self = .always
    case "n", "no": self = .no
    case "never": self = .never
    case "v", "view": self = .view
    default: return nil
    }
  }
}
