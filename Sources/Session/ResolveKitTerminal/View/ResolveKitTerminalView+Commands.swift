import Foundation
import ResolveKitCore
import ResolveKitNetworking
import ResolveKitSession
import ResolveKitUI
import StreamTransport

/// The commands that every view has.
extension ResolveKitTerminalView {
  var commands: [ResolveKitTerminalCommand] {
    Self.builtIn + configuration.commands
  }

  private static let builtIn: [ResolveKitTerminalCommand] = [
    ResolveKitTerminalCommand(name: "help", summary: "this list, and the keys") { view, _ in view.help() },
    ResolveKitTerminalCommand(name: "tools", summary: "what the agent may run on this machine") { view, _ in
      view.tools()
    },
    ResolveKitTerminalCommand(
      name: "approvals", argument: "[revoke N|all]", summary: "what you decided for always; take it back"
    ) { view, words in await view.approvals(words) },
    ResolveKitTerminalCommand(name: "status", summary: "the session and its connection") { view, _ in
      await view.status()
    },
    ResolveKitTerminalCommand(name: "locale", argument: "[TAG|default]", summary: "the language of the conversation") {
      view, tag in await view.locale(tag)
    },
    ResolveKitTerminalCommand(
      name: "attach", argument: "[FILE|none]", summary: "send a text file along with the next message"
    ) { view, file in view.attach(file) },
    ResolveKitTerminalCommand(name: "retry", summary: "send the last message again, unless it has arrived") { view, _ in
      await view.retry()
    },
    ResolveKitTerminalCommand(name: "new", summary: "begin a new conversation; this one stays kept") { view, _ in
      await view.beginNewConversation()
    },
    ResolveKitTerminalCommand(
      name: "recall", summary: "send the agent what was said, where the server has forgotten it"
    ) { view, _ in await view.recall() },
    ResolveKitTerminalCommand(
      name: "export", argument: "FILE", summary: "write the conversation to FILE.md or FILE.jsonl"
    ) { view, file in view.export(file) },
    ResolveKitTerminalCommand(name: "feedback", argument: "1-5 [WORDS]", summary: "rate the conversation") {
      view, words in
      await view.rate(words)
    },
    ResolveKitTerminalCommand(name: "quit", summary: "end (also Ctrl-D)") { view, _ in
      view.leave()
      return []
    },
  ]

  private func help() -> [String] {
    let names = commands.map { "/\($0.name)" + ($0.argument.map { " \($0)" } ?? "") }
    let width = names.map(\.count).max() ?? 0
    return zip(names, commands).map { name, command in
      "  " + name + String(repeating: " ", count: width - name.count + 2) + command.summary
    } + [
      "  Alt-Enter, or \\ at a line's end: the message continues in a new line",
      "  Up, Ctrl-R: earlier messages",
      "  Ctrl-C: stop the answer, or drop the line; twice: quit",
    ]
  }

  private func tools() -> [String] {
    let configuration = runtime.configuration
    let packs = configuration.functionPacks.filter { $0.supportedPlatforms.contains(configuration.platform) }
    let wanted = configuration.availableFunctionNamesProvider?()
    let functions = (configuration.functions + packs.flatMap { $0.functions }).filter { function in
      wanted?.contains(function.resolveKitName) ?? true
    }
    guard !functions.isEmpty else { return ["  none"] }
    return functions.map { function in
      "  \(function.resolveKitName)" + (function.resolveKitRequiresApproval ? " (asks first)" : "") + ": "
        + function.resolveKitDescription
    }
  }

  private func approvals(_ words: String) async -> [String] {
    do {
      let approvals = try runtime.toolApprovals()
      let parts = words.split { $0.isWhitespace }.map(String.init)
      guard !parts.isEmpty else {
        guard !approvals.isEmpty else { return ["  none: every call that needs approval is asked about"] }
        return approvals.enumerated().map { index, approval in
          "  \(index + 1)  \(approval.verdict.text)  \(approval.toolName)  \(approval.server)"
        }
      }
      guard parts.count == 2, parts[0] == "revoke" else {
        return ["[/approvals lists; /approvals revoke takes a number, or all]"]
      }
      let chosen: [ResolveKitStandingApproval]
      if parts[1] == "all" {
        chosen = approvals
      } else if let number = Int(parts[1]), number > 0, number <= approvals.count {
        chosen = [approvals[number - 1]]
      } else {
        return ["[there is no decision \(parts[1]); /approvals lists them]"]
      }
      for approval in chosen { try await runtime.revokeToolApproval(approval.id) }
      return chosen.map { "[\($0.toolName) is asked about again]" }
    } catch {
      return ["[\(error)]"]
    }
  }

  private func status() async -> [String] {
    let snapshot = await runtime.connectionSnapshot()
    let status = connection.status(snapshot)
    var lines = [
      "  session \(connection.sessionID ?? "none yet"), \(runtime.messages.count) messages", "  \(status.line)",
    ]
    if let connection = snapshot?.connection {
      lines.append("  \(runtime.configuration.shownURL) at \(connection.remoteAddress)")
    }
    lines.append("  locale \(runtime.currentLocale)")
    if let error = runtime.lastError { lines.append("  last error: \(error)") }
    return lines
  }

  private func locale(_ tag: String) async -> [String] {
    if !tag.isEmpty {
      let isTag = tag.count <= 32 && tag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      guard isTag else { return ["[\(tag) is no language tag; give one such as en, lt or fr-CA]"] }
      await runtime.setLocale(tag == "default" ? nil : tag)
    }
    return ["[locale \(runtime.currentLocale)]"]
  }

  private func retry() async -> [String] {
    if connection.isOver {
      do { try await runtime.start() } catch { return ["[no connection: \(error)]"] }
    }
    let (isBegun, turn) = await sayAgain()
    guard isBegun else { return ["[there is nothing to send again: the last message has its answer]"] }
    tellHowToRetry(after: turn)
    return []
  }

  private func attach(_ file: String) -> [String] {
    switch file {
    case "": break
    case "none": composer.removeAttachments()
    default:
      let path = NSString(string: file).expandingTildeInPath
      do {
        // Room for a photograph, to say what it is.
        let bytes = try PrivateFile.read(path, limit: 32 << 20)
        try composer.attach(NSString(string: path).lastPathComponent, bytes)
      } catch {
        return ["[\(error)]"]
      }
    }
    let names = composer.attachmentNames
    return ["[\(names.isEmpty ? "no file" : names.joined(separator: ", ")) goes with the next message]"]
  }

  private func beginNewConversation() async -> [String] {
    await runtime.reloadWithNewSession()
    await caughtUp()
    if let error = runtime.lastError, !runtime.connectionState.canSend { return ["[no new conversation: \(error)]"] }
    return ["[a new conversation]"]
  }

  private func recall() async -> [String] {
    do {
      let count = try await runtime.recallForgottenMessages()
      guard count > 0 else { return ["[the server has forgotten nothing of this conversation]"] }
      return ["[the agent receives the last \(count) of the forgotten messages]"]
    } catch {
      return ["[not sent: \(error)]"]
    }
  }

  private func rate(_ words: String) async -> [String] {
    guard let first = words.first?.wholeNumberValue, (1...5).contains(first), words.dropFirst().first?.isNumber != true
    else { return ["[/feedback takes a number from 1 to 5, and words if you like]"] }
    let comment = String(words.dropFirst()).trimmed
    let isTaken = await runtime.submitFeedback(rating: first, comment: comment.isEmpty ? nil : comment)
    return ["[\(isTaken ? "thank you" : runtime.executionLog.last ?? "the rating was not taken")]"]
  }

  private func export(_ file: String) -> [String] {
    guard !file.isEmpty else { return ["[/export takes a file's name; .jsonl writes JSON lines, all else Markdown]"] }
    let transcript = TerminalTranscript(messages: runtime.messages, batches: runtime.toolCallBatches)
    do {
      try transcript.write(to: NSString(string: file).expandingTildeInPath)
      return ["[written to \(file)]"]
    } catch {
      return ["[\(error)]"]
    }
  }
}
