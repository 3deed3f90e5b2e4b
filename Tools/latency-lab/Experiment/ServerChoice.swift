import LinkModel

/// The server of an experiment.
enum ServerChoice: Hashable, Sendable {
  /// Our own, which serves the schedule itself.
  case ours
  /// Caddy in front of our origin.
  case caddy
  /// A server of `Interop/peers` in front of our origin.
  case peer(String)
  /// The user's own, in front of our origin; a shell command with placeholders.
  case command(String)

  private static let peerPrefix = "peer:"
  static let placeholders = ["{address}", "{port}", "{certificate}", "{key}", "{origin}"]

  init(_ text: String) throws(LabError) {
    switch text {
    case "ours": self = .ours
    case "caddy": self = .caddy
    case let text where text.hasPrefix(Self.peerPrefix):
      let name = String(text.dropFirst(Self.peerPrefix.count))
      // A part of a file's name.
      guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
        throw LabError(.usage, "'\(text)' names no server; take one of Interop/peers/servers, such as peer:nginx130.")
      }
      self = .peer(name)
    default:
      guard text.contains("{port}") else {
        throw LabError(
          .usage,
          """
          --server takes 'ours', 'caddy', 'peer:NAME' or a command with {port} in it and, as it needs them, {address}, \
          {certificate}, {key} and {origin}; '\(text)' is none of these.
          """)
      }
      self = .command(text)
    }
  }

  /// Throws ``LabError`` where the server cannot do what the link needs.
  func check(for link: LinkConditions) throws(LabError) {
    guard self == .ours || !link.losesByToken else {
      throw LabError(
        .usage,
        """
        Loss by token needs the lab's own origin as server, which marks the tokens for the link; leave --server away, or \
        take another kind of loss.
        """)
    }
  }

  var label: String {
    switch self {
    case .ours: "ours"
    case .caddy: "Caddy before our origin"
    case .peer(let name): "\(name) before our origin"
    case .command(let command): "'\(command)' before our origin"
    }
  }

  /// The value of `--server` for the same choice.
  var argument: String {
    switch self {
    case .ours: "ours"
    case .caddy: "caddy"
    case .peer(let name): Self.peerPrefix + name
    case .command(let command): command
    }
  }

  /// A shell command with its placeholders filled in; a value is quoted where the shell wants it.
  static func filled(_ command: String, with values: [String: String]) -> String {
    values.reduce(command) { text, value in
      text.replacing(value.key, with: Description.quoted(value.value))
    }
  }
}
