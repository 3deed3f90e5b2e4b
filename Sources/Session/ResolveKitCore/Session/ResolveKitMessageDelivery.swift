/// The reason why a message has not become a turn.
public enum ResolveKitMessageDelivery: String, Hashable, Sendable, Codable {
  /// The server runs an earlier turn of the session. The message is sent again and again until that turn has ended.
  case held
  /// Its turn has ended here, and whether the server has the message is not known.
  case unknown
  /// Its turn has ended here, and the server has not got the message.
  case notSent
}
