import Foundation

/// Whether a terminal gets styles, by what people set to say so.
public enum OutputStyle: String, Sendable, CaseIterable {
  /// Markdown is styled, status lines are dim.
  case styled
  /// Text as it comes, without one escape sequence.
  case plain

  /// A person's choice.
  public enum Choice: String, Sendable, CaseIterable {
    /// Styled on a terminal, unless the environment says otherwise.
    case auto
    /// Styled, even into a pipe.
    case always
    /// Plain, even on a terminal.
    case never
  }

  /// The style of what is written to a descriptor; always plain with `isPlain`.
  package init(choice: Choice = .auto, isPlain: Bool, descriptor: CInt, environment: [String: String]) {
    self =
      isPlain
      ? .plain : OutputStyle(choice: choice, isTerminal: isatty(descriptor) == 1, environment: environment)
  }

  /// `choice` first; then `NO_COLOR` (no-color.org), `CLICOLOR_FORCE` (bixense.com/clicolors), `TERM=dumb`, and whether
  /// there is a terminal. An empty `NO_COLOR` counts as unset.
  package init(choice: Choice, isTerminal: Bool, environment: [String: String]) {
    switch choice {
    case .always: self = .styled
    case .never: self = .plain
    case .auto:
      let force = environment["CLICOLOR_FORCE"] ?? ""
      if let noColor = environment["NO_COLOR"], !noColor.isEmpty {
        self = .plain
      } else if !force.isEmpty, force != "0" {
        self = .styled
      } else {
        let term = environment["TERM"] ?? ""
        self = isTerminal && !term.isEmpty && term != "dumb" ? .styled : .plain
      }
    }
  }
}
