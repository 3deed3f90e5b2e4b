import ArgumentParser
import Foundation
import Logging
import ResolveKitUI
import StreamTransport

/// From the command line to the exit code.
@MainActor
struct ChatProgram {
  var options: ChatOptions

  func run() async -> ExitCode {
    let level = options.level
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = level
      return handler
    }
    do {
      let prompt = try Prompt.read(arguments: options.prompt)
      let endpoint = try await Endpoint.make(options, environment: ProcessInfo.processInfo.environment)
      let code = await converse(with: endpoint, prompt: prompt)
      await endpoint.shutdown()
      return code
    } catch let failure as ChatFailure {
      Output.status("chat: \(TerminalText.line(failure.message))\n").write()
      return failure.code
    } catch {
      Output.status("chat: \(TerminalText.line("\(error)"))\n").write()
      return .cannotConnect
    }
  }

  private func converse(with endpoint: Endpoint, prompt: Prompt) async -> ExitCode {
    let conversation = Conversation(
      runtime: ResolveKitRuntime(configuration: configuration(for: endpoint)), renderer: renderer(for: prompt),
      reader: LineReader(), isInteractive: prompt == .terminal)
    let interrupts = Interrupts()
    let watch = Task { await interrupts.apply(to: conversation) }
    defer { watch.cancel() }
    do {
      try await conversation.start(within: options.connectTimeout)
    } catch {
      await conversation.finish()
      Output.status("chat: \(TerminalText.line("\(error)"))\n").write()
      return Self.code(for: error)
    }
    let code =
      switch prompt {
      case .text(let text): await once(conversation, text)
      case .terminal: await dialogue(conversation)
      }
    return code
  }

  private func once(_ conversation: Conversation, _ text: String) async -> ExitCode {
    let turn = await conversation.say(text, within: options.turnTimeout)
    await conversation.finish()
    return conversation.exitCode(for: turn)
  }

  private func dialogue(_ conversation: Conversation) async -> ExitCode {
    let reader = conversation.reader
    while true {
      Output.status(await conversation.statusLine() + "> ").write()
      switch await reader.line() {
      case .overtaken: continue
      case .end:
        Output.status("\n").write()
        await conversation.finish()
        return .success
      case .line(let line):
        guard line.contains(where: { !$0.isWhitespace }) else { continue }
        _ = await conversation.say(line, within: options.turnTimeout)
        if conversation.isOver {
          let code = conversation.exitCode(for: nil)
          await conversation.finish()
          return code
        }
      }
    }
  }

  private func configuration(for endpoint: Endpoint) -> ResolveKitConfiguration {
    let rule = ApprovalRule(choice: options.approve, canAsk: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1)
    let key = endpoint.apiKey
    var configuration = ResolveKitConfiguration(
      baseURL: endpoint.baseURL, apiKeyProvider: { key },
      functions: [GetLocalTime.self, GetSystemInfo.self, ListFiles.self],
      transport: options.transport.resolveKitTransport, tls: endpoint.tls, allowsPlaintext: options.allowPlaintext,
      originStore: OriginStore(file: OriginStore.standardPath),
      resumptionStore: ResumptionStore(file: ResumptionStore.standardPath),
      approvalPolicy: { call in
        let decision = rule.decision(on: call)
        if decision == .deny { Output.status(rule.notice(of: call)).write() }
        return decision
      },
      reusesActiveSession: false, logger: Logger(label: "chat"))
    configuration.qlogDirectory = options.qlog
    return configuration
  }

  private func renderer(for prompt: Prompt) -> any Renderer {
    if options.jsonl { return JSONLinesRenderer() }
    return isatty(STDOUT_FILENO) == 1 || prompt == .terminal ? TerminalRenderer() : AnswerRenderer()
  }

  private static func code(for error: any Error) -> ExitCode {
    switch error {
    case let error as ResolveKitStartError: error.isBlocked ? .notAuthorised : .cannotConnect
    case let error as TransportError where error.code == .invalidRequest: .usage
    default: .cannotConnect
    }
  }
}
