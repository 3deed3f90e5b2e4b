import CodexRemoteClient
import ResolveKitCore
import StreamTransport

// The values of a companion as results of commands.
extension CommandReply {
  init(_ git: RemoteGitState) {
    members = [
      "is_repository": .bool(git.isRepository), "branch": git.branch.json, "staged": git.stagedFiles.json,
      "unstaged": git.unstagedFiles.json, "untracked": git.untrackedFiles.json,
      "changes": .array(
        git.changes.map {
          [
            "path": .string($0.path), "index": .string($0.indexStatus),
            "working_tree": .string($0.workingTreeStatus),
          ]
        }),
    ]
    guard git.isRepository else {
      lines = ["  no repository"]
      return
    }
    let counts =
      "\(git.stagedFiles) staged, \(git.unstagedFiles) not staged, \(git.untrackedFiles) not tracked"
    lines =
      ["  on \(git.branch ?? "no branch"): \(counts)"]
      + git.changes.prefix(200).map { "  \($0.indexStatus)\($0.workingTreeStatus) \($0.path)" }
  }

  init(_ branches: [RemoteBranch]) {
    lines = branches.map { "\($0.isCurrent ? "* " : "  ")\($0.name)" }
    members = [
      "branches": .array(branches.map { ["name": .string($0.name), "is_current": .bool($0.isCurrent)] })
    ]
  }

  init(_ diff: RemoteDiff) {
    lines = diff.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    note = diff.truncated ? "cut by the companion" : nil
    members = ["diff": .string(diff.text), "is_cut": .bool(diff.truncated)]
  }

  init(_ commit: RemoteCommit) {
    lines = ["  \(commit.commitHash.prefix(12)) on \(commit.branch ?? "no branch"): \(commit.summary)"]
    members = [
      "commit": .string(commit.commitHash), "branch": commit.branch.json, "summary": .string(commit.summary),
    ]
  }

  init(_ settings: RemoteSettings) {
    let codexsOwn = "codex's default"
    lines = [
      "  approval \(settings.approvalPolicy ?? codexsOwn), sandbox \(settings.sandboxMode ?? codexsOwn)",
      "  model \(settings.model ?? codexsOwn), effort \(settings.modelReasoningEffort ?? codexsOwn)",
    ]
    note = settings.note
    members = [
      "approval": settings.approvalPolicy.json, "sandbox": settings.sandboxMode.json, "model": settings.model.json,
      "effort": settings.modelReasoningEffort.json, "note": settings.note.json,
    ]
  }

  init(_ model: RemoteChatModel) {
    lines = [
      "  model \(model.name ?? "codex's default"), effort \(model.reasoningEffort ?? "the model's own")"
    ]
    members = ["model": model.name.json, "effort": model.reasoningEffort.json]
  }

  init(_ state: RemoteChatState, chatID: String, host: String, roundTrip: Duration?) {
    let milliseconds = roundTrip.flatMap { Int(exactly: ($0 / .milliseconds(1)).rounded()) }
    lines = ["  chat \(chatID) on \(host), \(state.entries.count) entries"]
    var connection = JSONChatRenderer.link(state.link)
    connection["kind"] = nil
    switch state.link {
    case .open(let info):
      connection["address"] = .string("\(info.remoteAddress)")
      connection["round_trip_ms"] = milliseconds.json
      let time = milliseconds.map { ", round trip \($0) ms" } ?? ""
      lines.append("  \(info.transport == .http3 ? "HTTP/3" : "HTTP/1.1") to \(info.remoteAddress)\(time)")
    case .idle, .connecting: lines.append("  connecting")
    case .waiting(let reason, _), .closed(_, let reason): lines.append("  not connected: \(reason)")
    }
    lines.append(state.runningTurnID == nil ? "  no turn runs" : "  a turn runs")
    for approval in state.approvals { lines.append("  waits: \(approval.id) \(approval.summary)") }
    for message in state.outgoing {
      if case .retrying = message.delivery { lines.append("  not sent yet: \(message.text)") }
    }
    members = [
      "chat": .string(chatID), "host": .string(host), "connection": .object(connection),
      "turn_id": state.runningTurnID.json, "approvals": .array(state.approvals.map { .string($0.id) }),
      "messages": .array(
        state.outgoing.map { message in
          .object(JSONChatRenderer.delivery(of: message).merging(["text": .string(message.text)]) { own, _ in own })
        }),
    ]
  }
}

extension String? {
  fileprivate var json: JSONValue { map { .string($0) } ?? .null }
}

extension Int {
  fileprivate var json: JSONValue { .number(Double(self)) }
}

extension Int? {
  fileprivate var json: JSONValue { map { .number(Double($0)) } ?? .null }
}
