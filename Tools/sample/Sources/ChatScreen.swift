import Foundation
import Logging
import ResolveKitTerminal
import ResolveKitUI

/// The capabilities, the state, and the conversation that changes it.
@MainActor
final class ChatScreen {
  private let connection: Connection
  private let showcase: Showcase
  private let terminal: Terminal
  private let runtime: ResolveKitRuntime
  private var shownState: ShowcaseState?
  private var question: Task<Void, Never>?
  /// The ids of calls whose tool has started and has not ended.
  private var running: Set<String> = []

  init(connection: Connection, showcase: Showcase, terminal: Terminal) {
    self.connection = connection
    self.showcase = showcase
    self.terminal = terminal
    let key = connection.apiKey
    var logger = Logger(label: "sample")
    logger.logLevel = .error
    runtime = ResolveKitRuntime(
      configuration: ResolveKitConfiguration(
        baseURL: connection.url, apiKeyProvider: { key }, llmContextProvider: { ["app": "sample"] },
        functions: ResolveKitAutoRegistry.functions, functionPacks: [PartyPack.self], tls: connection.tls,
        reusesActiveSession: false, logger: logger))
  }

  /// Until the input ends; nil, or what went wrong.
  func run() async -> SampleFailure? {
    do {
      try await runtime.start()
    } catch {
      await runtime.finish()
      let isBlocked = (error as? ResolveKitStartError)?.isBlocked ?? false
      return isBlocked ? .blocked("\(error)") : .cannotConnect("\(error)")
    }
    terminal.write(
      """

      Step 2 of 2: capabilities
      Host \(connection.shownURL), API key \(connection.maskedKey)

      \(Capability.table)
      A number sends its prompt; all else is sent as it is. /state, /tools, /quit.

      """)
    while true {
      showState()
      guard let line = await terminal.line("> ") else { break }
      let words = line.trimmingCharacters(in: .whitespaces)
      switch words {
      case "": continue
      case "/quit": return await close()
      case "/tools": terminal.write(Capability.table)
      case "/state": shownState = nil
      default:
        let prompt = Int(words).flatMap { Capability.numbered($0)?.prompt }
        if let prompt { terminal.write("\(prompt)\n") }
        await say(prompt ?? words)
        if runtime.connectionState == .blocked || runtime.connectionState == .failed {
          let reason = runtime.lastError ?? "The connection is gone."
          let failure: SampleFailure =
            runtime.connectionState == .blocked ? .blocked(reason) : .cannotConnect(reason)
          await runtime.finish()
          return failure
        }
      }
    }
    terminal.write("\n")
    return await close()
  }

  private func close() async -> SampleFailure? {
    await runtime.finish()
    return nil
  }

  /// The state where it is not what was shown last.
  private func showState() {
    guard showcase.state != shownState else { return }
    shownState = showcase.state
    terminal.write("[\(showcase.state.line)]\n")
  }

  /// Sends one message and shows its turn to the end.
  private func say(_ text: String) async {
    let updates = runtime.updates()
    await runtime.sendMessage(text)
    for await update in updates {
      switch update {
      case .text(_, let appended): terminal.write(appended)
      case .textCorrected(_, let whole): terminal.write("\n\(whole)")
      case .tool(let callID, let name, let status): show(callID, name, status)
      case .approvalNeeded(let request): ask(about: request)
      case .approvalWithdrawn: withdrawQuestion()
      case .message(let message): terminal.write("\n[\(message.role.rawValue): \(message.text)]\n")
      case .escalated(let reason): terminal.write("\n[a person takes over: \(reason)]\n")
      case .connection(let connection) where connection.state == .reconnecting:
        terminal.write("\n[connecting again\(connection.reason.map { ": \($0)" } ?? "")]\n")
      case .turn(let turn):
        withdrawQuestion()
        terminal.write("\n")
        if let reason = turn.reason { terminal.write("[\(turn.status.rawValue): \(reason)]\n") }
        return
      default: continue
      }
    }
  }

  private func show(_ callID: String, _ name: String, _ status: ToolCallItemStatus) {
    switch status {
    case .pendingApproval: return
    case .running: running.insert(callID)
    case .completed:
      running.remove(callID)
      showState()
    case .cancelled(let reason):
      let end = running.remove(callID) == nil ? "was not run" : "was stopped"
      terminal.write("[\(name) \(end)\(reason.map { ": \($0)" } ?? "")]\n")
    case .failed(let reason):
      running.remove(callID)
      terminal.write("[\(name) failed: \(reason)]\n")
    }
  }

  /// Beside the conversation, which may end before there is an answer.
  private func ask(about request: ResolveKitApprovalRequest) {
    withdrawQuestion()
    let names = request.calls.map { "\($0.functionName) \($0.displayedArguments)" }
    question = Task {
      let answer = await terminal.decision("\nMay the agent call \(names.joined(separator: ", "))? y or n: ")
      guard !Task.isCancelled else { return }
      let isApproved = ["y", "yes"].contains(answer?.trimmingCharacters(in: .whitespaces).lowercased())
      let outcome =
        isApproved ? await runtime.approveToolCallBatch(request) : await runtime.declineToolCallBatch(request)
      if case .refused(let refusal) = outcome { terminal.write("\n[\(refusal)]\n") }
    }
  }

  private func withdrawQuestion() {
    guard let question else { return }
    self.question = nil
    question.cancel()
    terminal.withdraw()
  }
}
