/// The reason why a message has not become a turn.
public enum ResolveKitMessageDelivery: String, Hashable, Sendable, Codable {
  /// The server runs an earlier turn of the session. The message is sent again and again until that turn has ended.
  case held
  /// The message's turn has ended here, and whether the server has it is not known.
  case unknown
  /// The message's turn has ended here, and the server does not have it.
  case notSent
}
