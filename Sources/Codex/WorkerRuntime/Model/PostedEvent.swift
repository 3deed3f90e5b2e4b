import EventLedger
import ResolveKitCore

/// An event that a client or a device posts to `…/events`, checked.
package struct PostedEvent: Sendable {
  package let type: String
  /// JSON text of an object, on one line.
  package let payload: [UInt8]

  package init(type: String, payload: [UInt8]) {
    self.type = type
    self.payload = payload
  }

  /// The receipt that it is; nil for any other event.
  var receipt: Receipt? {
    guard [EventType.response, EventType.error].contains(type) else { return nil }
    return Receipt(type: type, payload: (try? JSONValue(parsing: payload))?.objectValue ?? [:])
  }

  var draft: LedgerDraft { LedgerDraft(type: type, payload: payload) }
}
