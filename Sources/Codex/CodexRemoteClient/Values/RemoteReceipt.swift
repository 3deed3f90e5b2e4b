/// The outcome of a message.
public struct RemoteReceipt: Hashable, Sendable, Decodable {
  /// The turn that it began, or that it was added to; nil where the companion does not tell.
  public let turnID: String?
  /// `started` or `steered`; nil where the companion does not tell.
  public let mode: String?

  private enum CodingKeys: String, CodingKey {
    case mode
    case turnID = "turnId"
  }
}

/// Whether a turn runs in a chat.
public struct RemoteRunState: Hashable, Sendable, Decodable {
  public let isRunning: Bool
  public let activeTurnID: String?

  private enum CodingKeys: String, CodingKey {
    case isRunning
    case activeTurnID = "activeTurnId"
  }
}
