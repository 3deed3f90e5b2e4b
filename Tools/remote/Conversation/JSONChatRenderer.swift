import CodexRemoteClient
import ResolveKitCore
import StreamTransport
import TerminalIO

/// One JSON object a line, for programs; what may steer a terminal is an escape.
struct JSONChatRenderer: ChatRenderer {
  mutating func render(_ update: RemoteUpdate, isOwn: (String) -> Bool) -> [TerminalOutput] {
    [.answer(JSONValue.object(Self.members(update)).visibleText + "\n")]
  }

  mutating func render(_ reply: CommandReply, of command: String) -> [TerminalOutput] {
    var members = Self.tagged("command", reply.members)
    members["command"] = .string(command)
    members["entries"] = reply.entries.map { .array($0.map { .object(Self.entry($0)) }) }
    members["ok"] = .bool(reply.failure == nil)
    members["code"] = reply.failure.map { .string($0.code.rawValue) }
    members["reason"] = reply.failure.map { .string($0.message) }
    return [.answer(JSONValue.object(members).visibleText + "\n")]
  }

  private static func members(_ update: RemoteUpdate) -> JSONObject {
    switch update {
    case .loaded(let history):
      ["kind": "loaded", "entries": .array(history.map { .object(entry($0)) })]
    case .earlier(let page, let hasMore):
      ["kind": "earlier", "entries": .array(page.map { .object(entry($0)) }), "has_more": .bool(hasMore)]
    case .resynchronized: ["kind": "resynchronized"]
    case .link(let link): self.link(link)
    case .turnStarted(let id): ["kind": "turn", "turn_id": .string(id), "status": "started"]
    case .turnContinues(let id): ["kind": "turn", "turn_id": .string(id), "status": "continues"]
    case .turnEnded(let id, let status, let error):
      [
        "kind": "turn", "turn_id": .string(id), "status": .string(status),
        "reason": error.map { .string($0) } ?? .null,
      ]
    case .entry(let entry): tagged("entry", self.entry(entry))
    case .text(let id, let appended):
      [
        "kind": "text", "turn_id": .string(id.turnID), "item_id": .string(id.itemID), "text": .string(appended),
        "at_ns": .number(Double(TransportClock.monotonicNanoseconds())),
      ]
    case .approvalNeeded(let approval):
      [
        "kind": "approval", "status": "open", "id": .string(approval.id), "form": .string(approval.form),
        "summary": .string(approval.summary), "consequence": .string(approval.consequence),
        "allows_session": .bool(approval.allowsSession), "allows_always": .bool(approval.allowsAlways),
        "allows_cancel": .bool(approval.allowsCancel), "answering": .string(answering(approval.answering)),
        "details": .object(approval.details),
      ]
    case .approvalGone(let id, let reason):
      ["kind": "approval", "status": "gone", "id": .string(id), "reason": .string(reason)]
    case .decisionRefused(let id, let reason):
      ["kind": "approval", "status": "refused", "id": .string(id), "reason": .string(reason)]
    case .message(let message):
      tagged("message", delivery(of: message))
    case .notice(let words): ["kind": "notice", "text": .string(words)]
    }
  }

  private static func answering(_ answering: RemoteAnswering) -> String {
    switch answering {
    case .yes: "yes"
    case .form: "form"
    case .impossible: "impossible"
    }
  }

  private static func tagged(_ kind: String, _ members: JSONObject) -> JSONObject {
    var members = members
    members["kind"] = .string(kind)
    return members
  }

  static func delivery(of message: RemoteOutgoing) -> JSONObject {
    var members: JSONObject = ["request_id": .string(message.id)]
    switch message.delivery {
    case .sending: members["delivery"] = "sending"
    case .retrying(let attempt, let reason):
      members["delivery"] = "retrying"
      members["attempt"] = .number(Double(attempt))
      members["reason"] = .string(reason)
    case .delivered(let turnID):
      members["delivery"] = "delivered"
      members["turn_id"] = turnID.map { .string($0) } ?? .null
    case .failed(let code, let reason):
      members["delivery"] = "failed"
      members["code"] = .string(code.rawValue)
      members["reason"] = .string(reason)
    case .dropped(let turnID):
      members["delivery"] = "dropped"
      members["turn_id"] = .string(turnID)
    case .withdrawn(let mayHaveArrived):
      members["delivery"] = "withdrawn"
      members["may_have_arrived"] = .bool(mayHaveArrived)
    }
    return members
  }

  static func link(_ link: RemoteLink) -> JSONObject {
    switch link {
    case .idle: ["kind": "link", "state": "idle"]
    case .connecting(let attempt): ["kind": "link", "state": "connecting", "attempt": .number(Double(attempt))]
    case .open(let connection):
      [
        "kind": "link", "state": "open", "transport": .string(connection.transport.rawValue),
        "resumption": .string(connection.resumption.rawValue),
      ]
    case .waiting(let reason, let retryIn):
      [
        "kind": "link", "state": "waiting", "reason": .string(reason),
        "retry_in_ms": .number((retryIn / .milliseconds(1)).rounded()),
      ]
    case .closed(let code, let reason):
      ["kind": "link", "state": "closed", "code": .string(code.rawValue), "reason": .string(reason)]
    }
  }

  private static func entry(_ entry: RemoteEntry) -> JSONObject {
    var members: JSONObject = [
      "turn_id": .string(entry.id.turnID), "item_id": .string(entry.id.itemID),
      "progress": .string(entry.progress.rawValue),
    ]
    members["request_id"] = entry.requestID.map { .string($0) }
    switch entry.content {
    case .message(let role, let text):
      members["type"] = "message"
      members["role"] = .string(role.rawValue)
      members["text"] = .string(text)
    case .command(let line, let folder, let exitCode, let output):
      members["type"] = "command"
      members["command"] = .string(line)
      members["folder"] = folder.map { .string($0) }
      members["exit_code"] = exitCode.map { .number(Double($0)) }
      members["output"] = output.map { .string($0) }
    case .fileChange(let changes):
      members["type"] = "file_change"
      members["changes"] = .array(
        changes.map { ["path": .string($0.path), "kind": .string($0.kind), "diff": .string($0.diff)] })
    case .toolCall(let server, let tool):
      members["type"] = "tool_call"
      members["server"] = .string(server)
      members["tool"] = .string(tool)
    case .activity(let title, let detail):
      members["type"] = "activity"
      members["title"] = .string(title)
      members["detail"] = detail.map { .string($0) }
    }
    return members
  }
}
