/// A command that a person types after a slash, and its action.
public struct ResolveKitTerminalCommand: Sendable {
  /// Without the slash.
  public var name: String
  /// The argument after the name, as it is shown in `/help`; nil for none.
  public var argument: String?
  /// One line for `/help`.
  public var summary: String
  /// Takes the view and what was typed after the name, and returns the lines to print.
  public var action: @MainActor @Sendable (ResolveKitTerminalView, String) async -> [String]

  /// Creates a command. Where every view has one of that name, such as `help`, the view's is used.
  public init(
    name: String, argument: String? = nil, summary: String,
    action: @escaping @MainActor @Sendable (ResolveKitTerminalView, String) async -> [String]
  ) {
    self.name = name
    self.argument = argument
    self.summary = summary
    self.action = action
  }
}
