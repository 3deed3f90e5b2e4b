/// The failure to change a setting: a code to branch on, and a sentence to show.
package struct SettingsError: Error, Hashable, CustomStringConvertible, Sendable {
  package enum Code: Hashable, Sendable {
    /// The request asks for nothing that is possible.
    case invalid
    /// Another program changes the configuration at the same time.
    case conflict
    /// Codex has too much to do.
    case busy
    /// Codex cannot read its configuration, or answers in a way that is not known.
    case codex
  }

  package let code: Code
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
