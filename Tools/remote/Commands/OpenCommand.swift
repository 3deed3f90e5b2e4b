import ArgumentParser
import CodexRemoteClient
import Foundation
import Logging
import StreamTransport
import TerminalIO

/// Opens a chat.
struct OpenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open", abstract: "Opens a chat: its history, its answers as they stream, its questions.",
    discussion: """
      On a terminal: /help lists the commands; Ctrl-C stops the turn, then leaves; Ctrl-D leaves. The turn continues.
      In a pipe, each line is a message or a command; the program leaves when they are done.
      """)

  @OptionGroup var options: HostOptions

  @Option(help: ArgumentHelp("Send this first; may be repeated.", valueName: "text"))
  var message: [String] = []

  @Option(help: ArgumentHelp("Transcribe this file, - for standard input, and send its text first.", valueName: "file"))
  var dictate: String?

  @Option(help: "What happens to questions: ask (a person, here or elsewhere), all (allow each once), none (decline).")
  var approve = AnswerRule.ask

  @Flag(help: "Stay when standard input has ended.")
  var follow = false

  @Option(
    help: ArgumentHelp(
      "How long a pipe waits for a chat that is not available: at first, and when its input has ended.",
      valueName: "seconds"))
  var patience = 60

  @Flag(help: "Nothing but lines: no styles, no line editor.")
  var plain = false

  @Argument(help: "The chat's id, or its beginning.") var chat: String

  func validate() throws {
    guard (1...86_400).contains(patience) else { throw ValidationError("--patience is from 1 to 86400 seconds.") }
  }

  func run() async throws {
    let json = options.storage.json
    var history: String?
    if isatty(STDIN_FILENO) == 1, let folder = try? StateFolder(environment: ProcessInfo.processInfo.environment).make()
    {
      history = folder + "/remote-history"
    }
    let input = TerminalInput.open(
      name: "remote", isPlain: plain || json, historyFile: history,
      environment: ProcessInfo.processInfo.environment)
    let logger = options.storage.logger { TerminalLog(label: $0, level: options.storage.logLevel, input: input) }
    let client = try options.client(logger: logger)
    let status: ExitCode
    do {
      let id = try await Self.id(chat, client)
      var messages = message
      if let dictate { messages.append(try await RecordingTranscript.text(of: dictate, by: client)) }
      status = try await view(id, client, input).run(messages: messages, follows: follow)
    } catch {
      await client.close()
      throw error
    }
    await client.close()
    if status != .success { throw status }
  }

  @MainActor
  private func view(_ id: String, _ client: RemoteClient, _ input: any LineInput) -> ChatView {
    let isTyped = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
    let environment = ProcessInfo.processInfo.environment
    func style(_ descriptor: Int32) -> OutputStyle {
      OutputStyle(isPlain: plain || options.storage.json, descriptor: descriptor, environment: environment)
    }
    let renderer: any ChatRenderer =
      options.storage.json
      ? JSONChatRenderer()
      : TerminalChatRenderer(
        style: style(STDOUT_FILENO), statusStyle: style(STDERR_FILENO), writesWholeLines: isTyped && !plain,
        columns: { TerminalSize.columns() })
    return ChatView(
      chat: RemoteChat(client: client, chatID: id), input: input, renderer: renderer,
      statusStyle: style(STDERR_FILENO), answers: approve,
      isInteractive: isTyped && !options.storage.json, patience: .seconds(patience))
  }

  /// A whole id is taken as it is; the beginning of one has to be that of one chat alone.
  private static func id(_ text: String, _ client: RemoteClient) async throws -> String {
    if UUID(uuidString: text) != nil { return text.lowercased() }
    let found = try await client.chats().filter { $0.id.hasPrefix(text) }
    guard found.count == 1, !text.isEmpty else {
      throw RemoteError(.notFound, "No chat, or not one alone, begins with '\(text)'; 'remote chats' lists them.")
    }
    return found[0].id
  }
}
