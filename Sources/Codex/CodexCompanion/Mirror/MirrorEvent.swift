import CodexAppServer
import CodexRemoteContract
import CodexWorkersClient
import EventLedger
import ResolveKitCore

/// A chat's event as a worker's log has it: codex's method and parameters, and where in its chat it stands.
///
/// It is made of the stored event alone, so that a repetition is the same to the byte.
enum MirrorEvent {
  /// The name of the writer, by which a client knows the device's own events.
  static let source = "autopilot-desktop"

  static func draft(_ event: ChatEvent, sequence: Int64, chat: String, at time: WallTime) -> WorkerEventDraft {
    var payload = LaneEvent.payload(
      source: source, method: method(of: event.name),
      params: PayloadFit.fit(event.payload, toBytes: LaneEvent.parameterLimit), thread: chat, at: time.zulu)
    payload["thread_seq"] = .number(Double(sequence))
    return WorkerEventDraft(payload: payload)
  }

  /// The event for events of a chat that were dropped before they could be mirrored.
  static func gap(_ range: ClosedRange<Int64>, chat: String, at time: WallTime) -> WorkerEventDraft {
    WorkerEventDraft(payload: [
      "source": .string(source), "method": "companion/mirror_gap", "thread_id": .string(chat),
      "first_thread_seq": .number(Double(range.lowerBound)), "last_thread_seq": .number(Double(range.upperBound)),
      "occurred_at": .string(time.zulu),
    ])
  }

  static func heartbeat(at time: WallTime) -> WorkerEventDraft {
    WorkerEventDraft(
      type: "worker.heartbeat", payload: ["source": .string(source), "occurred_at": .string(time.zulu)])
  }

  private static func method(of name: ChatEvent.Name) -> String {
    switch name {
    case .turnStarted: "turn/started"
    case .messageDelta: "item/agentMessage/delta"
    case .itemStarted: "item/started"
    case .itemCompleted: "item/completed"
    case .turnCompleted: "turn/completed"
    case .error: "error"
    case .approvalRequired: "companion/approval_required"
    case .approvalCleared: "companion/approval_cleared"
    }
  }
}
