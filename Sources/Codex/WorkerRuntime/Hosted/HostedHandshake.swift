import EventLedger
import ResolveKitCore

/// The handshake by which a client finds out that a worker's device answers, from the device's side.
///
/// All members are texts that say something; anything else is no handshake.
struct HostedHandshake: Hashable, Sendable {
  let id: String

  /// Nil where the event does not begin one.
  init?(_ event: LedgerEvent) {
    let members = event.members
    func word(_ names: String...) -> String? {
      let text = names.lazy.compactMap { members[$0]?.stringValue }.first
      return text.flatMap { text in text.contains { !$0.isWhitespace } ? text : nil }
    }
    guard event.type == EventType.event, word("method") == "ios/handshake", word("source") != nil,
      word("device_id", "deviceId") != nil, word("occurred_at", "occurredAt") != nil,
      let id = word("handshake_id", "handshakeId")
    else { return nil }
    self.id = id
  }

  /// The device's answer, to which the time is added.
  func acknowledgement(from session: String) -> JSONObject {
    [
      "source": "autopilot-desktop", "method": "desktop/handshake_ack", "handshake_id": .string(id),
      "desktop_session_id": .string(session),
    ]
  }
}
