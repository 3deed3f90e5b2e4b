import CodexRemoteClient
import Foundation
import ResolveKitCore
import StreamTransport
import TerminalIO

/// A command that a person types after a slash.
@MainActor
struct ChatCommands {
  private static let help = [
    ("/steer TEXT", "say it to the turn that runs (so does a message)"),
    ("/stop", "end the turn that runs (also Ctrl-C)"),
    ("/status", "the chat, its connection, what waits"),
    ("/history", "all that was said and done, as far as it is held"),
    ("/earlier", "what was said and done before that, page by page"),
    (
      "/answer ID DECISION [FORM]",
      "approve, decline, cancel, allow_for_session, allow_always; a form's answers as JSON"
    ),
    ("/git", "the project's branch and changed files; /git branches lists the branches"),
    ("/diff [PATH]", "what is changed, in one file or in all"),
    ("/checkout BRANCH", "check out an existing branch"),
    ("/commit MESSAGE", "commit what is staged"),
    (
      "/settings [NAME VALUE]",
      "the settings; approval on-request|never, sandbox read-only|workspace-write|danger-full-access"
    ),
    ("/model", "the model that the settings name; 'remote new --model' begins a chat with another"),
    ("/dictate FILE", "have the companion write down what was said, and send it"),
    ("/quit", "leave (also Ctrl-D); the turn continues"),
  ]

  private let view: ChatView

  init(_ view: ChatView) { self.view = view }

  /// Returns the lines to print.
  func perform(_ name: String, _ argument: String) async -> [String] {
    do {
      switch name {
      case "help": return Self.helpLines
      case "steer":
        guard !argument.isEmpty else { return ["[/steer takes what to say]"] }
        await view.send(argument)
        return []
      case "stop": return ["[\(await view.stop())]"]
      case "status": return await status()
      case "history":
        await view.showHistory()
        return []
      case "earlier": return try await view.chat.loadEarlier() ? [] : ["[the history begins with what is shown]"]
      case "answer": return await answer(argument)
      case "git": return argument == "branches" ? try await branches() : try await git()
      case "diff": return try await diff(argument)
      case "checkout":
        guard !argument.isEmpty else { return ["[/checkout takes a branch; /git branches lists them]"] }
        return Self.lines(try await client.checkOut(argument, inProject: try await projectID()))
      case "commit":
        guard !argument.isEmpty else { return ["[/commit takes a message]"] }
        let commit = try await client.commit(argument, inProject: try await projectID())
        return ["  \(commit.commitHash.prefix(12)) on \(commit.branch ?? "no branch"): \(commit.summary)"]
      case "settings": return try await settings(argument)
      case "model":
        let settings = try await client.context(ofProject: try await projectID()).settings
        return ["  model \(settings.model ?? "codex's default")"]
      case "dictate":
        let text = try await Dictation.text(of: argument, by: client)
        view.tell("you said: \(TerminalText.line(text))")
        await view.send(text)
        return []
      case "quit":
        view.isLeaving = true
        return []
      default: return ["[there is no command /\(name); see /help, or send it with a space before the /]"]
      }
    } catch {
      return ["[\(error)]"]
    }
  }

  private var client: RemoteClient { view.chat.client }

  private static var helpLines: [String] {
    let width = help.map(\.0.count).max() ?? 0
    return help.map { "  " + $0 + String(repeating: " ", count: width - $0.count + 2) + $1 }
  }

  /// The project that the chat belongs to. Throws `RemoteError`.
  private func projectID() async throws -> String {
    let chatID = view.chat.chatID
    guard let project = try await client.chats().first(where: { $0.id == chatID })?.projectID else {
      throw RemoteError(.notFound, "The companion does not tell which project this chat belongs to.")
    }
    return project
  }

  private func status() async -> [String] {
    let state = await view.chat.currentState()
    var lines = ["  chat \(view.chat.chatID) on \(client.host.name), \(state.entries.count) entries"]
    switch state.link {
    case .open(let connection):
      let snapshot = await client.snapshot()
      let milliseconds = snapshot?.roundTrip.flatMap { Int(exactly: ($0 / .milliseconds(1)).rounded()) }
      let roundTrip = milliseconds.map { ", round trip \($0) ms" } ?? ""
      lines.append(
        "  \(connection.transport == .http3 ? "HTTP/3" : "HTTP/1.1") to \(connection.remoteAddress)\(roundTrip)")
    case .idle, .connecting: lines.append("  connecting")
    case .waiting(let reason, _), .closed(let reason): lines.append("  not connected: \(reason)")
    }
    lines.append(state.runningTurnID == nil ? "  no turn runs" : "  a turn runs")
    for approval in state.approvals { lines.append("  waits: \(approval.id) \(approval.summary)") }
    for message in state.outgoing {
      if case .retrying = message.delivery { lines.append("  not sent yet: \(message.text)") }
    }
    return lines
  }

  private func answer(_ words: String) async -> [String] {
    let parts = words.split(maxSplits: 2) { $0.isWhitespace }.map(String.init)
    guard parts.count >= 2, let decision = RemoteDecision(rawValue: parts[1]) else {
      let decisions = RemoteDecision.allCases.map(\.rawValue).joined(separator: ", ")
      return ["[/answer takes a question's id and one of \(decisions)]"]
    }
    var content: JSONObject?
    if parts.count == 3 {
      guard let answers = try? JSONValue(parsing: parts[2]).objectValue else {
        return ["[a form's answers are a JSON object]"]
      }
      content = answers
    }
    await view.decide(parts[0], decision, content: content)
    return []
  }

  private func git() async throws -> [String] {
    Self.lines(try await client.context(ofProject: try await projectID()).git)
  }

  private static func lines(_ git: RemoteGitState) -> [String] {
    guard git.isRepository else { return ["  no repository"] }
    let counts =
      "\(git.stagedFiles) staged, \(git.unstagedFiles) not staged, \(git.untrackedFiles) not tracked"
    return ["  on \(git.branch ?? "no branch"): \(counts)"]
      + git.changes.prefix(200).map { "  \($0.indexStatus)\($0.workingTreeStatus) \($0.path)" }
  }

  private func branches() async throws -> [String] {
    try await client.branches(ofProject: try await projectID()).map { "\($0.isCurrent ? "* " : "  ")\($0.name)" }
  }

  private func diff(_ path: String) async throws -> [String] {
    let diff = try await client.diff(ofProject: try await projectID(), path: path.isEmpty ? nil : path)
    return diff.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      + (diff.truncated ? ["[cut by the companion]"] : [])
  }

  private func settings(_ words: String) async throws -> [String] {
    let parts = words.split { $0.isWhitespace }.map(String.init)
    let settings: RemoteSettings
    switch (parts.first, parts.count) {
    case (nil, _): settings = try await client.context(ofProject: try await projectID()).settings
    case ("approval"?, 2): settings = try await client.changeSettings(approvalPolicy: parts[1])
    case ("sandbox"?, 2): settings = try await client.changeSettings(sandboxMode: parts[1])
    case (_, _): return ["[/settings shows them; /settings approval or sandbox takes a value]"]
    }
    return [
      "  approval \(settings.approvalPolicy ?? "codex's default"), sandbox \(settings.sandboxMode ?? "codex's default")",
      "  model \(settings.model ?? "codex's default"), effort \(settings.modelReasoningEffort ?? "codex's default")",
    ] + (settings.note.map { ["  \($0)"] } ?? [])
  }
}
