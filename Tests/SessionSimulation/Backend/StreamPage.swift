import EventLedger
import ReferenceBackend

/// Events of the ledger as the stream carries them. Each is framed once, when it is appended, since its bytes are the same
/// for all readers.
struct StreamPage {
  private let session: String
  private var records: [Int64: LedgerRecord] = [:]
  private var frames: [Int64: [UInt8]] = [:]
  /// Each turn's text so far.
  private var texts: [String: String] = [:]

  init(_ session: String) { self.session = session }

  /// Takes in what was appended; returns it in parts.
  mutating func add(_ event: LedgerEvent) -> LedgerRecord? {
    guard let record = LedgerRecord(event.payload) else { return nil }
    if event.type == EventPayload.deltaType { texts[record.turnID, default: ""] += record.body }
    records[event.sequence] = record
    frames[event.sequence] = Self.stored(event, record, of: session, text: texts[record.turnID] ?? "").frame(.number)
    return record
  }

  func record(_ sequence: Int64) -> LedgerRecord? { records[sequence] }
  func frame(_ sequence: Int64) -> [UInt8]? { frames[sequence] }

  /// - Parameter text: the turn's text up to the event and with it.
  static func stored(_ event: LedgerEvent, _ record: LedgerRecord, of session: String, text: String) -> StoredEvent {
    let isDelta = event.type == EventPayload.deltaType
    return StoredEvent(
      id: EventID(event.sequence), sessionID: session, turnID: record.turnID,
      requestID: record.requestID, time: event.time, type: event.type,
      payloadText: isDelta
        ? EventPayload.assistantTextDelta(delta: record.body, accumulated: text).jsonText : record.body)
  }
}
