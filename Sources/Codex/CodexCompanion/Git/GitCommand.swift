/// A git command, and what it may take.
struct GitCommand: Hashable, Sendable {
  /// The treatment of output beyond the limit.
  enum Excess: Hashable, Sendable {
    /// The command fails.
    case refused
    /// The command is ended, and what was read counts.
    case cut
  }

  /// The most that is read of a command's output.
  static let maximumOutput = 4 << 20

  var arguments: [String]
  var input: [UInt8] = []
  var timeLimit: Duration = .seconds(4)
  /// Bytes of output that are read.
  var outputLimit = Self.maximumOutput
  var excess = Excess.refused
  /// Whether paths may hold magic, as in `:(attr:…)`; only those of our own making do.
  var hasPathspecMagic = false

  init(_ arguments: String...) { self.arguments = arguments }
}
