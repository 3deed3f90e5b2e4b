/// The outcome of a message.
public struct RemoteReceipt: Hashable, Sendable, Decodable {
  /// The turn that it began, or that it was added to; nil where the companion does not say.
  public let turnID: String?
  /// `started` or `steered`; nil where the companion does not say.
  public let mode: String?

  private enum CodingKeys: String, CodingKey {
    case mode
    case turnID = "turnId"
  }
}

/// Whether a turn runs in a chat.
public struct RemoteRunState: Hashable, Sendable, Decodable {
  /// Whether a turn runs.
  public let isRunning: Bool
  /// The turn that runs; nil for none, or where the companion does not say.
  public let activeTurnID: String?

  private enum CodingKeys: String, CodingKey {
    case isRunning
    case activeTurnID = "activeTurnId"
  }
}
