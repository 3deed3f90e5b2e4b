import ResolveKitCore

/// The two events by which a client and a device find out that they reach each other.
public enum HandshakeSignal: Hashable, Sendable {
  /// A client asks.
  case call(id: String, deviceID: String)
  /// The device answers.
  case acknowledgement(id: String, sessionID: String)

  static let callMethod = "ios/handshake"
  static let acknowledgementMethod = "desktop/handshake_ack"

  /// Nil where the event is neither. All members have to be texts that say something, as the contract has it.
  public init?(_ event: WorkerEvent) {
    let fields = WireObject(event.payload)
    guard event.type == "worker.event", fields.word("source") != nil, fields.word("occurred_at") != nil,
      let id = fields.word("handshake_id")
    else { return nil }
    switch fields.word("method") {
    case Self.callMethod:
      guard let device = fields.word("device_id") else { return nil }
      self = .call(id: id, deviceID: device)
    case Self.acknowledgementMethod:
      guard let session = fields.word("desktop_session_id") else { return nil }
      self = .acknowledgement(id: id, sessionID: session)
    default: return nil
    }
  }

  /// The event to store.
  ///
  /// - Parameter moment: the time of day, for people: nothing is ordered by it.
  public func draft(at moment: String) -> WorkerEventDraft {
    switch self {
    case .call(let id, let device):
      WorkerEventDraft(payload: [
        "source": "autopilot-ios", "method": .string(Self.callMethod), "handshake_id": .string(id),
        "device_id": .string(device), "occurred_at": .string(moment),
      ])
    case .acknowledgement(let id, let session):
      WorkerEventDraft(payload: [
        "source": "autopilot-desktop", "method": .string(Self.acknowledgementMethod), "handshake_id": .string(id),
        "desktop_session_id": .string(session), "occurred_at": .string(moment),
      ])
    }
  }
}
