/// A message on its way to the companion.
public struct RemoteOutgoing: Hashable, Sendable, Identifiable {
  /// The progress of a message.
  public enum Delivery: Hashable, Sendable {
    /// On its way for the first time.
    case sending
    /// Not sent yet, and tried again under the same id as long as an outage lasts: it starts no second turn.
    case retrying(attempt: Int, reason: String)
    /// The companion has it; the turn that it began or was added to, where the companion says.
    case delivered(turnID: String?)
    /// The companion and codex took it, and its turn ended before codex had added it: it is in no history, and the model
    /// never reads it. codex 0.163 does so with a message that an interrupt follows at once, or that waits for the answer to
    /// a question.
    case dropped(turnID: String)
    /// Refused, or given up; whether it arrived may not be known.
    case failed(RemoteError.Code, reason: String)
    /// Withdrawn here, and not tried again.
    case withdrawn(mayHaveArrived: Bool)
  }

  /// The `request_id`.
  public let id: String
  /// The message's text.
  public let text: String
  /// The message's progress.
  public internal(set) var delivery: Delivery

  /// Notes that it was given up.
  package mutating func fail(_ code: RemoteError.Code, reason: String) { delivery = .failed(code, reason: reason) }

  /// Whether it is still to be sent.
  public var isPending: Bool {
    switch delivery {
    case .sending, .retrying: true
    case .delivered, .dropped, .failed, .withdrawn: false
    }
  }
}
