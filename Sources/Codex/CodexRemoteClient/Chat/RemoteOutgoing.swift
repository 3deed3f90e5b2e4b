/// A message on its way to the companion.
public struct RemoteOutgoing: Hashable, Sendable, Identifiable {
  /// Its progress.
  public enum Delivery: Hashable, Sendable {
    case sending
    /// It could not be sent, and is tried again under the same id: it starts no second turn.
    case retrying(attempt: Int, reason: String)
    case delivered(turnID: String?)
    /// It was refused, or given up; whether it arrived may not be known.
    case failed(RemoteError.Code, reason: String)
  }

  /// The `request_id`.
  public let id: String
  public let text: String
  public internal(set) var delivery: Delivery
}
