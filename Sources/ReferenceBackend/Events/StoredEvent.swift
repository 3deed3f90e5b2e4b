package import ResolveKitCore

/// An event that is to be appended to the log.
package struct EventDraft: Equatable, Sendable {
  package var sessionID: String
  package var turnID: String
  package var requestID: String
  package var time: WallTime
  package var payload: EventPayload

  package init(sessionID: String, turnID: String, requestID: String, time: WallTime, payload: EventPayload) {
    self.sessionID = sessionID
    self.turnID = turnID
    self.requestID = requestID
    self.time = time
    self.payload = payload
  }
}

/// An event of the log.
package struct StoredEvent: Equatable, Sendable {
  package var id: EventID
  package var sessionID: String
  package var turnID: String
  package var requestID: String
  package var time: WallTime
  package var type: String
  package var payload: JSONValue

  package init(id: EventID, draft: EventDraft) {
    self.init(
      id: id, sessionID: draft.sessionID, turnID: draft.turnID, requestID: draft.requestID, time: draft.time,
      type: draft.payload.type, payload: draft.payload.json)
  }

  package init(
    id: EventID, sessionID: String, turnID: String, requestID: String, time: WallTime, type: String,
    payload: JSONValue
  ) {
    self.id = id
    self.sessionID = sessionID
    self.turnID = turnID
    self.requestID = requestID
    self.time = time
    self.type = type
    self.payload = payload
  }

  package var isTerminal: Bool { EventPayload.terminalTypes.contains(type) }

  /// The event as the stream carries it: three one-line fields and an empty line, names in the contract's order.
  package func frame(_ style: EventIDStyle) -> [UInt8] {
    let id = style.text(of: self)
    var bytes = Array("id: \(id)\nevent: \(type)\ndata: {\"event_id\":\"\(id)\",\"turn_id\":".utf8)
    bytes += JSONValue.string(turnID).serialized()
    bytes += Array(",\"request_id\":".utf8)
    bytes += JSONValue.string(requestID).serialized()
    bytes += Array(",\"timestamp\":\"\(time.offset)\",\"type\":\"\(type)\",\"payload\":".utf8)
    bytes += payload.serialized()
    bytes += Array("}\n\n".utf8)
    return bytes
  }
}
