/// The reason for which a message was not taken.
public enum ResolveKitMessageRefusal: String, Error, Hashable, Sendable, Codable, CaseIterable {
  /// An earlier message's turn is in progress.
  case turnInProgress
  /// The session was not started, or its connection has ended.
  case notConnected
  /// The message has no text.
  case noText
  /// The message is longer than the contract allows.
  case tooLong
}

extension ResolveKitMessageRefusal: CustomStringConvertible {
  /// A sentence for the person who sent the message.
  public var description: String {
    switch self {
    case .turnInProgress: "A turn is in progress. Wait for its end, or cancel it."
    case .notConnected: "There is no connection. Start it first."
    case .noText: "The message is empty."
    case .tooLong: "The message is longer than \(MessageSendRequest.maximumTextBytes) bytes."
    }
  }
}
