import Foundation

@testable import CodexCompanion

/// Rollouts that codex 0.163.0 wrote, shortened, and ones made up in their form.
enum TestRollout {
  static let chat = "01a212c2-832f-7590-ac67-70aa308c3c09"

  static func bytes(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Rollouts")
    return Array(try Data(contentsOf: folder.appending(path: "\(name).jsonl")))
  }

  static func timeline(
    _ bytes: [UInt8], limits: HistoryLimits = HistoryLimits(), before: Int? = nil, limit: Int? = nil, step: Int = 65_536
  ) -> ChatTimeline {
    var fold = RolloutFold(chat: chat, limits: limits, before: before, limit: limit)
    var start = 0
    while start < bytes.count {
      let end = min(start + step, bytes.count)
      fold.append(Array(bytes[start..<end]))
      start = end
    }
    return fold.timeline()
  }

  static func session(_ id: String, base: String? = nil, end: Int = 0) -> String {
    let base = base.map {
      #","history_base":{"thread_id":"\#($0)","end_ordinal_exclusive":3,"end_byte_offset":\#(end)}"#
    }
    return #"{"timestamp":"2026-11-25T12:00:00.000Z","ordinal":0,"type":"session_meta","payload":{"id":"\#(id)","#
      + #""cwd":"/home/user/project"\#(base ?? "")}}"# + "\n"
  }

  static func user(_ text: String, at seconds: Int = 1_795_611_067) -> String {
    item(#"{"type":"UserMessage","id":"u","content":[{"type":"text","text":"\#(text)"}]}"#, at: seconds)
  }

  static func agent(_ text: String, phase: String? = nil, at seconds: Int = 1_795_611_067) -> String {
    let phase = phase.map { #","phase":"\#($0)""# } ?? ""
    return item(
      #"{"type":"AgentMessage","id":"a","content":[{"type":"Text","text":"\#(text)"}]\#(phase)}"#, at: seconds)
  }

  static func item(_ item: String, at seconds: Int = 1_795_611_067) -> String {
    let time = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    return
      #"{"timestamp":"\#(time)","ordinal":1,"type":"event_msg","payload":{"type":"item_completed","item":\#(item),"#
      + #""started_at_ms":\#(seconds * 1_000),"completed_at_ms":\#(seconds * 1_000)}}"# + "\n"
  }
}
