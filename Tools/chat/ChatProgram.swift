import ArgumentParser
import Foundation
import Logging
import ResolveKitNetworking
import ResolveKitTerminal
import ResolveKitUI
import StreamTransport

/// From the command line to the exit code.
@MainActor
struct ChatProgram {
  var options: ChatOptions
  var environment = ProcessInfo.processInfo.environment

  func run() async -> ExitCode {
    do {
      let settings = try ChatSettings.load(options, environment: environment)
      if options.printConfig {
        TerminalOutput.answer(settings.description).write()
        return .success
      }
      if options.list {
        let list = try SessionList.text(of: folder)
        TerminalOutput.answer(list).write()
        if list.isEmpty { TerminalOutput.status("chat: no conversation is kept on this machine\n").write() }
        return .success
      }
      return try await talk(settings)
    } catch let failure as ChatFailure {
      TerminalOutput.status("chat: \(TerminalText.line(failure.message))\n").write()
      return failure.code
    } catch {
      TerminalOutput.status("chat: \(TerminalText.line("\(error)"))\n").write()
      return .cannotConnect
    }
  }

  private var folder: ResolveKitJournalFolder {
    ResolveKitJournalFolder(path: StateFolder(environment: environment).path + "/sessions")
  }

  private func talk(_ settings: ChatSettings) async throws -> ExitCode {
    let prompt = try Prompt.read(arguments: options.prompt)
    let conversation = ConversationChoice(options)
    try conversation.check(in: folder, isKept: settings.isKept)
    let view = configuration(settings, for: prompt)
    let input = ResolveKitTerminalView.input(view)
    let level = settings.logLevel
    LoggingSystem.bootstrap { label in TerminalLog(label: label, level: level, input: input) }
    let endpoint = try await Endpoint.make(settings, environment: environment)
    var configuration = configuration(settings, for: endpoint)
    if settings.isKept {
      do {
        configuration.journal = try conversation.journal(in: folder, server: configuration.approvalServer)
      } catch {
        await endpoint.shutdown()
        throw error
      }
    }
    let terminal = ResolveKitTerminalView(
      runtime: ResolveKitRuntime(configuration: configuration), configuration: view,
      renderer: renderer(view, for: prompt),
      input: input)
    let ending =
      switch prompt {
      case .text(let text): await terminal.run(message: text)
      case .terminal: await terminal.run()
      }
    await endpoint.shutdown()
    return ExitCode(ending)
  }

  private func configuration(_ settings: ChatSettings, for prompt: Prompt) -> ResolveKitTerminalConfiguration {
    var history: String?
    if settings.isKept, prompt == .terminal {
      history = (try? StateFolder(environment: environment).make()).map { $0 + "/history" }
    }
    return ResolveKitTerminalConfiguration(
      color: settings.color, isPlain: settings.isPlain || options.jsonl, historyFile: history,
      connectTimeout: settings.connectTimeout, turnTimeout: settings.turnTimeout, environment: environment)
  }

  private func configuration(_ settings: ChatSettings, for endpoint: Endpoint) -> ResolveKitConfiguration {
    let rule = ApprovalRule(
      choice: settings.approve, canAsk: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1)
    let key = endpoint.apiKey
    let locale = settings.text(.locale)
    var configuration = ResolveKitConfiguration(
      baseURL: endpoint.baseURL, apiKeyProvider: { key }, localeProvider: { locale },
      functions: [GetLocalTime.self, GetSystemInfo.self, ListFiles.self, Wait.self],
      transport: settings.transport.resolveKitTransport, tls: endpoint.tls,
      allowsPlaintext: settings.allowsPlaintext, originStore: OriginStore(file: OriginStore.standardPath),
      resumptionStore: ResumptionStore(file: ResumptionStore.standardPath),
      approvalPolicy: { call in
        let decision = rule.decision(on: call)
        if decision == .deny { TerminalOutput.status(rule.notice(of: call)).write() }
        return decision
      },
      reusesActiveSession: false, logger: Logger(label: "chat"))
    configuration.serverName = endpoint.name
    configuration.qlogDirectory = settings.text(.qlog)
    return configuration
  }

  private func renderer(_ view: ResolveKitTerminalConfiguration, for prompt: Prompt) -> any UpdateRenderer {
    if options.jsonl { return JSONLinesRenderer() }
    return isatty(STDOUT_FILENO) == 1 || prompt == .terminal ? ResolveKitTerminalView.renderer(view) : AnswerRenderer()
  }
}
