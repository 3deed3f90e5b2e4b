package import EventLedger
package import ResolveKitCore

/// An event of the log.
package struct StoredEvent: Equatable, Sendable {
  package var id: EventID
  package var sessionID: String
  package var turnID: String
  package var requestID: String
  package var time: WallTime
  package var type: String
  /// JSON as it is sent: what is read into numbers and written again may be another number.
  package var payloadText: String
  package var history: LogHistory

  package init(
    id: EventID, sessionID: String, turnID: String, requestID: String, time: WallTime, type: String,
    payloadText: String, history: LogHistory = .first
  ) {
    self.id = id
    self.sessionID = sessionID
    self.turnID = turnID
    self.requestID = requestID
    self.time = time
    self.type = type
    self.payloadText = payloadText
    self.history = history
  }

  package var cursor: HistoryCursor { HistoryCursor(id, history) }

  package var payload: JSONValue { (try? JSONValue(parsing: payloadText)) ?? .null }

  package var isTerminal: Bool { EventPayload.terminalTypes.contains(type) }

  /// The event as the stream carries it: three one-line fields and an empty line, names in the contract's order.
  package func frame(_ style: EventIDStyle) -> [UInt8] {
    let id = style.text(of: self)
    var bytes = Array("id: \(id)\nevent: \(type)\ndata: {\"event_id\":\"\(id)\",\"turn_id\":".utf8)
    bytes += JSONValue.string(turnID).serialized()
    bytes += Array(",\"request_id\":".utf8)
    bytes += JSONValue.string(requestID).serialized()
    bytes += Array(",\"timestamp\":\"\(time.offset)\",\"type\":\"\(type)\",\"payload\":".utf8)
    bytes += Array(payloadText.utf8)
    bytes += Array("}\n\n".utf8)
    return bytes
  }
}
