/// A word that a person types after a slash, and what it does.
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

/// A line typed at the prompt.
enum TypedLine: Equatable {
  case message(String)
  case command(name: String, argument: String)

  /// A slash begins a command; a space before it makes it a message.
  init(_ line: String) {
    guard line.hasPrefix("/") else {
      self = .message(line.hasPrefix(" /") ? String(line.dropFirst()) : line)
      return
    }
    let words = line.dropFirst().split(maxSplits: 1, omittingEmptySubsequences: false) { $0.isWhitespace }
    let argument = words.count > 1 ? String(words[1]) : ""
    self = .command(name: String(words.first ?? ""), argument: argument.trimmed)
  }
}

extension String {
  var trimmed: String {
    let start = drop { $0.isWhitespace }
    return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
  }
}
