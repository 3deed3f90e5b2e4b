import CodexRemoteContract

/// The two events by which a client and a device find out that they reach each other.
public enum HandshakeSignal: Hashable, Sendable {
  /// A client asks.
  case call(id: String, deviceID: String)
  /// The device answers.
  case acknowledgement(id: String, sessionID: String)

  /// Nil where the event is neither. All members have to be texts that say something, as the contract has it.
  public init?(_ event: WorkerEvent) {
    switch HandshakeMessage(type: event.type, payload: event.payload) {
    case .call(let id, let device)?: self = .call(id: id, deviceID: device)
    case .acknowledgement(let id, let session)?: self = .acknowledgement(id: id, sessionID: session)
    case nil: return nil
    }
  }

  /// The event to store.
  ///
  /// - Parameter moment: the time of day, for people: nothing is ordered by it.
  public func draft(at moment: String) -> WorkerEventDraft {
    let message: HandshakeMessage =
      switch self {
      case .call(let id, let device): .call(id: id, deviceID: device)
      case .acknowledgement(let id, let session): .acknowledgement(id: id, sessionID: session)
      }
    return WorkerEventDraft(payload: message.payload(at: moment))
  }
}
