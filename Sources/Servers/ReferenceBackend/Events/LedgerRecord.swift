import EventLedger
import ResolveKitCore

/// An event's type and content as they are stored. A text delta is stored without `accumulated`, which is the sum of its
/// turn's deltas and would make the log grow with the square of the answer.
package struct EventEntry: Equatable, Sendable {
  package let type: String
  /// The delta itself, or JSON text.
  package let body: String

  init(type: String, body: String) {
    self.type = type
    self.body = body
  }

  package init(_ payload: EventPayload) {
    type = payload.type
    switch payload {
    case .assistantTextDelta(let delta, _): body = delta
    case .toolCallRequest, .turnComplete, .error, .humanMessage, .feedbackRequested, .sessionEscalated:
      body = payload.jsonText
    }
  }
}

/// An event's payload in the ledger: whose it is as a line of JSON, then its body as it is.
package struct LedgerRecord: Equatable {
  package var turnID: String
  package var requestID: String
  /// The last event of the session before the turn's first: where to begin to sum up its text.
  package var base: EventID
  package var history: LogHistory
  package var body: String

  package init(turnID: String, requestID: String, base: EventID, history: LogHistory = .first, body: String) {
    self.turnID = turnID
    self.requestID = requestID
    self.base = base
    self.history = history
    self.body = body
  }

  /// nil for bytes that are none.
  package init?(_ bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONValue(parsing: Array(bytes[..<end])).arrayValue, (3...4).contains(head.count),
      let turnID = head[0].stringValue, let requestID = head[1].stringValue,
      let base = head[2].stringValue.flatMap({ Int64($0) }),
      let history = head.count == 3 ? LogHistory.first.number : head[3].stringValue.flatMap({ Int64($0) })
    else { return nil }
    self.init(
      turnID: turnID, requestID: requestID, base: EventID(base), history: LogHistory(history),
      body: String(decoding: bytes[(end + 1)...], as: UTF8.self))
  }

  package var bytes: [UInt8] {
    var head: [JSONValue] = [.string(turnID), .string(requestID), .string(base.text)]
    if history != .first { head.append(.string(String(history.number))) }
    return JSONValue.array(head).serialized() + [UInt8(ascii: "\n")] + Array(body.utf8)
  }
}
