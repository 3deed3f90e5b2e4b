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
    ("/withdraw", "take back the messages that are not sent yet"),
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
    ("/model", "the chat's model; 'remote new --model' begins a chat with another"),
    ("/dictate FILE", "have the companion write down what was said, and send it"),
    ("/quit", "leave (also Ctrl-D); the turn continues"),
  ]

  private let view: ChatView

  init(_ view: ChatView) { self.view = view }

  func perform(_ name: String, _ argument: String) async -> CommandReply {
    do {
      return try await result(name, argument)
    } catch {
      return CommandReply(failure: RemoteError(error))
    }
  }

  private func result(_ name: String, _ argument: String) async throws -> CommandReply {
    switch name {
    case "help": return help
    case "steer": return await send(try required(argument, "/steer takes what to say."))
    case "stop":
      let isStopped = try await view.stop()
      return CommandReply(note: isStopped ? "stopped" : "no turn runs", members: ["interrupted": .bool(isStopped)])
    case "withdraw": return await withdraw()
    case "status": return await status()
    case "history": return await history()
    case "earlier":
      let isThere = try await view.chat.loadEarlier()
      return CommandReply(
        note: isThere ? nil : "the history begins with what is shown", members: ["found": .bool(isThere)])
    case "answer": return try await answer(argument)
    case "git": return argument == "branches" ? try await branches() : try await git()
    case "diff": return try await diff(argument)
    case "checkout":
      let branch = try required(argument, "/checkout takes a branch; /git branches lists them.")
      return CommandReply(try await client.checkOut(branch, inProject: try await projectID()))
    case "commit":
      let message = try required(argument, "/commit takes a message.")
      return CommandReply(try await client.commit(message, inProject: try await projectID()))
    case "settings": return try await settings(argument)
    case "model": return CommandReply(try await client.model(ofChat: view.chat.chatID))
    case "dictate":
      let text = try await RecordingTranscript.text(of: argument, by: client)
      view.note("you said: \(TerminalText.line(text))")
      var reply = await send(text)
      reply.members["text"] = .string(text)
      return reply
    case "quit":
      view.isLeaving = true
      return CommandReply()
    default:
      throw RemoteError(
        .misuse, "There is no command /\(name); see /help, or send it with a space before the /.")
    }
  }

  private var client: RemoteClient { view.chat.client }

  private var help: CommandReply {
    let width = Self.help.map(\.0.count).max() ?? 0
    return CommandReply(
      lines: Self.help.map { "  " + $0 + String(repeating: " ", count: width - $0.count + 2) + $1 },
      members: ["commands": .array(Self.help.map { ["usage": .string($0), "meaning": .string($1)] })])
  }

  /// Throws `RemoteError` where there is no argument.
  private func required(_ argument: String, _ sentence: String) throws -> String {
    guard !argument.isEmpty else { throw RemoteError(.misuse, sentence) }
    return argument
  }

  /// The project that the chat belongs to. Throws `RemoteError`.
  private func projectID() async throws -> String {
    let chatID = view.chat.chatID
    guard let project = try await client.chats().first(where: { $0.id == chatID })?.projectID else {
      throw RemoteError(.notFound, "The companion does not report which project this chat belongs to.")
    }
    return project
  }

  private func send(_ text: String) async -> CommandReply {
    CommandReply(members: ["request_id": .string(await view.send(text))])
  }

  private func withdraw() async -> CommandReply {
    var withdrawn: [JSONValue] = []
    for message in await view.chat.currentState().outgoing where await view.chat.withdraw(message.id) {
      withdrawn.append(.string(message.id))
    }
    return CommandReply(
      note: withdrawn.isEmpty ? "no message waits to be sent" : nil, members: ["messages": .array(withdrawn)])
  }

  private func status() async -> CommandReply {
    CommandReply(
      await view.chat.currentState(), chatID: view.chat.chatID, host: client.host.name,
      roundTrip: await client.snapshot()?.roundTrip)
  }

  private func history() async -> CommandReply {
    let state = await view.chat.currentState()
    return CommandReply(
      note: state.hasEarlier ? "there is more before this; /earlier shows it" : nil, entries: state.entries,
      members: ["has_more": .bool(state.hasEarlier)])
  }

  private func answer(_ words: String) async throws -> CommandReply {
    let parts = words.split(maxSplits: 2) { $0.isWhitespace }.map(String.init)
    guard parts.count >= 2, let decision = RemoteDecision(rawValue: parts[1]) else {
      let decisions = RemoteDecision.allCases.map(\.rawValue).joined(separator: ", ")
      throw RemoteError(.misuse, "/answer takes a question's id and one of \(decisions).")
    }
    var content: JSONObject?
    if parts.count == 3 {
      content = try? JSONValue(parsing: parts[2]).objectValue
      guard content != nil else { throw RemoteError(.misuse, "A form's answers are a JSON object.") }
    }
    await view.decide(parts[0], decision, content: content)
    return CommandReply(members: ["id": .string(parts[0]), "decision": .string(decision.rawValue)])
  }

  private func git() async throws -> CommandReply {
    CommandReply(try await client.context(ofProject: try await projectID()).git)
  }

  private func branches() async throws -> CommandReply {
    CommandReply(try await client.branches(ofProject: try await projectID()))
  }

  private func diff(_ path: String) async throws -> CommandReply {
    CommandReply(try await client.diff(ofProject: try await projectID(), path: path.isEmpty ? nil : path))
  }

  private func settings(_ words: String) async throws -> CommandReply {
    let parts = words.split { $0.isWhitespace }.map(String.init)
    switch (parts.first, parts.count) {
    case (nil, _): return CommandReply(try await client.context(ofProject: try await projectID()).settings)
    case ("approval"?, 2): return CommandReply(try await client.changeSettings(approvalPolicy: parts[1]))
    case ("sandbox"?, 2): return CommandReply(try await client.changeSettings(sandboxMode: parts[1]))
    case (_, _): throw RemoteError(.misuse, "/settings shows them; /settings approval or sandbox takes a value.")
    }
  }
}
