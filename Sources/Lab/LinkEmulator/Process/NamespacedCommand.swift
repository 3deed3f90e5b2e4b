/// A program to start on one side of a link.
package struct NamespacedCommand: Sendable {
  package enum Input: Hashable, Sendable {
    /// `/dev/null`.
    case nothing
    case inherited
    /// A descriptor that the caller owns and closes.
    case descriptor(CInt)
  }

  package enum Output: Hashable, Sendable {
    /// `/dev/null`.
    case discarded
    case inherited
    /// A file that is made or emptied; output and errors may share one.
    case file(path: String)
    /// A descriptor that the caller owns and closes, such as the writing end of a pipe.
    case descriptor(CInt)
  }

  /// A path, or a name that is looked up in the environment's PATH.
  package var executable: String
  package var arguments: [String]
  /// nil: the caller's own.
  package var environment: [String: String]?
  /// nil: the caller's own.
  package var directory: String?
  package var input: Input
  package var output: Output
  package var error: Output
  /// Whether it takes the terminal that its input is: it gets Ctrl-C then, and may be a shell with job control. Who
  /// started it takes the terminal back (`tcsetpgrp`) when it has ended.
  package var ownsTerminal: Bool

  package init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String]? = nil, directory: String? = nil,
    input: Input = .nothing, output: Output = .inherited, error: Output = .inherited, ownsTerminal: Bool = false
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.directory = directory
    self.input = input
    self.output = output
    self.error = error
    self.ownsTerminal = ownsTerminal
  }
}
