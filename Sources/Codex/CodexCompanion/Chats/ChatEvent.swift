import CodexAppServer
package import EventLedger
package import ResolveKitCore

/// An event of a chat as remote clients see it, by the contract's names.
package struct ChatEvent: Equatable, Sendable {
  package enum Name: String, Sendable, CaseIterable {
    case turnStarted = "turn_started"
    case messageDelta = "message_delta"
    case itemStarted = "item_started"
    case itemCompleted = "item_completed"
    case turnCompleted = "turn_completed"
    case error
    case approvalRequired = "approval_required"
    case approvalCleared = "approval_cleared"
  }

  package var name: Name
  package var payload: JSONObject

  package init(_ name: Name, _ payload: JSONObject) {
    self.name = name
    self.payload = payload
  }

  /// Whether another turn follows this one's end without anybody's asking, to answer its last message.
  var continues: Bool { payload["continues"]?.boolValue ?? false }

  /// The turn that it begins or ends.
  var turnID: String? { payload["turn"]?.objectValue?["id"]?.stringValue }

  /// The bytes of memory that it takes, about.
  var weight: Int { JSONValue.object(payload).weight }

  /// The ledger's event: the frame that clients get. A payload beyond the ledger's limit is cut, and says so.
  package func draft(chatID: String, at time: WallTime) -> LedgerDraft {
    let payload = PayloadFit.fit(payload, toBytes: min(LedgerLimits.payloadBytes, 1 << 20) - 1_024)
    let frame: JSONValue = [
      "event": .string(name.rawValue), "chatId": .string(chatID), "payload": .object(payload),
      "timestamp": .number(Double(time.microseconds / 1_000)),
    ]
    return LedgerDraft(type: name.rawValue, payload: frame.serialized())
  }

  /// The event that a ledger kept; nil for one of a later version of the companion.
  package init?(_ event: LedgerEvent) {
    guard let name = Name(rawValue: event.type), let frame = try? JSONValue(parsing: event.payload),
      let payload = frame.objectValue?["payload"]?.objectValue
    else { return nil }
    self.init(name, payload)
  }
}
