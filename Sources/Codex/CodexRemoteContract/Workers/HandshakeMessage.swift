package import ResolveKitCore

/// The two events by which a client and a worker's device find out that they reach each other.
package enum HandshakeMessage: Hashable, Sendable {
  /// A client asks.
  case call(id: String, deviceID: String)
  /// The device answers.
  case acknowledgement(id: String, sessionID: String)

  private static let type = "worker.event"
  private static let callMethod = "ios/handshake"
  private static let acknowledgementMethod = "desktop/handshake_ack"

  /// Nil where the event is neither. All members have to be texts that say something, as the contract has it.
  package init?(type: String, payload: JSONObject) {
    func word(_ names: String...) -> String? {
      let text = names.lazy.compactMap { payload[$0]?.stringValue }.first
      return text.flatMap { text in text.contains { !$0.isWhitespace } ? text : nil }
    }
    guard type == Self.type, word("source") != nil, word("occurred_at", "occurredAt") != nil,
      let id = word("handshake_id", "handshakeId")
    else { return nil }
    switch word("method") {
    case Self.callMethod:
      guard let device = word("device_id", "deviceId") else { return nil }
      self = .call(id: id, deviceID: device)
    case Self.acknowledgementMethod:
      guard let session = word("desktop_session_id", "desktopSessionId") else { return nil }
      self = .acknowledgement(id: id, sessionID: session)
    default: return nil
    }
  }

  /// The payload of the event.
  ///
  /// - Parameter time: for people: nothing is ordered by it.
  package func payload(at time: String) -> JSONObject {
    switch self {
    case .call(let id, let device):
      [
        "source": "autopilot-ios", "method": .string(Self.callMethod), "handshake_id": .string(id),
        "device_id": .string(device), "occurred_at": .string(time),
      ]
    case .acknowledgement(let id, let session):
      [
        "source": "autopilot-desktop", "method": .string(Self.acknowledgementMethod), "handshake_id": .string(id),
        "desktop_session_id": .string(session), "occurred_at": .string(time),
      ]
    }
  }
}
