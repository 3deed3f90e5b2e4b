import EventLedger
import ReferenceBackend

/// Events of the ledger as the stream carries them.
enum StreamPage {
  /// - Parameter text: the turn's text up to the event and with it.
  static func stored(_ event: LedgerEvent, _ record: EventRecord, text: String) -> StoredEvent {
    let isDelta = event.type == EventPayload.deltaType
    return StoredEvent(
      id: EventID(event.sequence), sessionID: SimulatedDatabase.session, turnID: record.turnID,
      requestID: record.requestID, time: event.time, type: event.type,
      payloadText: isDelta
        ? EventPayload.assistantTextDelta(delta: record.body, accumulated: text).jsonText : record.body)
  }

  /// The frames behind a cursor.
  static func frames(after cursor: Int64, in database: SimulatedDatabase) throws -> [(id: Int64, bytes: [UInt8])] {
    var texts: [String: String] = [:]
    return try database.events(after: cursor).compactMap { event in
      guard let record = EventRecord(event.payload) else { return nil }
      var text = ""
      if event.type == EventPayload.deltaType {
        text = texts[record.turnID] ?? said(by: record.turnID, before: event.sequence, in: database)
        text += record.body
        texts[record.turnID] = text
      }
      return (event.sequence, stored(event, record, text: text).frame(.number))
    }
  }

  private static func said(by turn: String, before sequence: Int64, in database: SimulatedDatabase) -> String {
    database.events(of: turn).filter { $0.event.type == EventPayload.deltaType && $0.event.sequence < sequence }
      .map(\.record.body).joined()
  }
}
