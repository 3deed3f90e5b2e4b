import ResolveKitCore

/// The meaning of a rollout's line for a chat.
enum RolloutEvent: Hashable, Sendable {
  /// The place that a segment continues from.
  struct Base: Hashable, Sendable {
    var segmentID: String
    /// The bytes of that segment that count.
    var end: Int
  }

  /// The first line of a segment.
  case session(folder: String?, base: Base?)
  case message(ChatMessage.Role, text: String, phase: ChatMessage.Phase?)
  case activities([ChatActivity])

  /// The event of a line, its time in milliseconds since 1970 and its turn, where the line has them; nil for lines that
  /// a chat does not show, and for those that are no lines of a rollout.
  ///
  /// Only codex's own account of finished items counts. What was sent to the model and came from it is in the file too,
  /// and has messages that nobody wrote: contexts, notes of aborted turns, summaries.
  static func read(_ line: [UInt8], folder: String?) -> (event: RolloutEvent, time: Int?, turnID: String?)? {
    guard !isPassedOver(line), let members = (try? JSONValue(parsing: line))?.objectValue,
      let payload = members["payload"]?.objectValue
    else { return nil }
    let time = members["timestamp"]?.stringValue.flatMap(RolloutTime.milliseconds)
    switch members["type"]?.stringValue {
    case "session_meta": return (session(payload), time, nil)
    case "event_msg":
      let record = RolloutRecord(payload, lineTime: time, folder: folder)
      let turnID = payload["turn_id"]?.stringValue.flatMap { $0.utf8.count <= 200 ? $0 : nil }
      return record.event.map { ($0, time, turnID) }
    default: return nil
    }
  }

  private static func session(_ payload: JSONObject) -> RolloutEvent {
    let base = payload["history_base"]?.objectValue
    var from: Base?
    if let id = base?["thread_id"]?.stringValue, let end = base?["end_byte_offset"]?.integerValue, end >= 0 {
      from = Base(segmentID: id, end: end)
    }
    return .session(folder: payload["cwd"]?.stringValue, base: from)
  }

  /// Whether a line's beginning shows that it is of a type that no chat shows. Most are, and need not be parsed.
  private static func isPassedOver(_ line: [UInt8]) -> Bool {
    let head = line.prefix(200)
    guard let start = head.firstRange(of: Array("\"type\":\"".utf8))?.upperBound else { return false }
    let type = head[start...].prefix { $0 != UInt8(ascii: "\"") }
    return passedOver.contains { $0.utf8.elementsEqual(type) }
  }

  private static let passedOver = ["response_item", "token_usage_record", "turn_context", "world_state", "compacted"]
}
