import ArgumentParser
import Foundation

/// The command line's options; what it leaves open, the environment and the configuration file may say.
struct ChatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The backend's address, such as https://localhost:8443. Without one, a backend runs inside this program."))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "A file that holds the API key, readable by you alone (or RESOLVEKIT_API_KEY; a key as an argument would show in the process list)."
    ))
  var apiKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "The base URL of an OpenAI-compatible endpoint, such as https://api.openai.com/v1: the backend inside this program asks the model there, with the key of OPENAI_API_KEY. Without one, a demonstrator answers.",
      valueName: "url"))
  var modelURL: String?

  @Option(help: ArgumentHelp("The model's name at that endpoint.", valueName: "name"))
  var modelName: String?

  @Option(help: ArgumentHelp("Instructions to the model before the conversation.", valueName: "text"))
  var system: String?

  @Option(help: "PEM certificates to trust in place of the system's.")
  var caFile: String?

  @Option(help: ArgumentHelp("PEM certificate chain to show to a server that asks for one.", valueName: "file"))
  var certificate: String?

  @Option(help: ArgumentHelp("The private key, PEM, of --certificate.", valueName: "file"))
  var privateKey: String?

  @Option(help: "auto: HTTP/3, and HTTP/1.1 where UDP does not pass; h3 or h1: that one only (default: auto).")
  var transport: TransportChoice?

  @Option(help: "What happens to tool calls that need approval: ask on the terminal, run all, run none (default: ask).")
  var approve: ApprovalChoice?

  @Option(help: "The language of the conversation, such as en or fr-CA.")
  var locale: String?

  @Flag(help: "Print one JSON object a line: connection, session, message, event, tool and turn.")
  var jsonl = false

  @Option(help: "auto, always or never; auto goes by the terminal, NO_COLOR and CLICOLOR_FORCE.")
  var color: ColorChoice?

  @Flag(inversion: .prefixedNo, help: "Nothing but lines: no styles, no line editor.")
  var plain: Bool?

  @Flag(name: [.customLong("continue"), .customShort("c")], help: "Continue the conversation that was held last.")
  var continues = false

  @Option(help: ArgumentHelp("Continue this conversation; --list names those that are kept.", valueName: "session"))
  var resume: String?

  @Flag(help: "List the conversations that are kept on this machine, the last one first.")
  var list = false

  @Flag(
    inversion: .prefixedNo,
    help:
      "Keep typed messages and conversations on this machine, the newest \(ConversationChoice.keptCount) that were used within \(ConversationChoice.keptDays) days (default: yes)."
  )
  var keep: Bool?

  @Option(help: "Seconds to wait for the connection (default 30) and, where given, for each turn.")
  var timeout: Double?

  @Flag(inversion: .prefixedNo, help: "Allow plain http to other hosts than this one.")
  var allowPlaintext: Bool?

  @Option(help: ArgumentHelp("Write each HTTP/3 connection's events to this directory, for qvis.", valueName: "dir"))
  var qlog: String?

  @Option(help: "trace, debug, info, notice, warning, error or critical.")
  var logLevel: LogLevel?

  @Flag(name: .shortAndLong, help: "The same as --log-level info.")
  var verbose = false

  @Option(help: ArgumentHelp("The configuration file (default: $XDG_CONFIG_HOME/agent-stream/chat.json)."))
  var config: String?

  @Flag(help: "Print what is set, and by what: a flag, the environment or the configuration file.")
  var printConfig = false

  @Argument(help: "The message. Without one it is read from a pipe, or typed.")
  var prompt: [String] = []

  func validate() throws {
    if continues, resume != nil { throw ValidationError("--continue and --resume exclude each other.") }
  }

  /// The settings that flags give.
  var settings: [ChatSetting: ChatValue] {
    var settings: [ChatSetting: ChatValue] = [:]
    settings[.baseURL] = url.map { .text($0) }
    settings[.apiKeyFile] = apiKeyFile.map { .text($0) }
    settings[.modelURL] = modelURL.map { .text($0) }
    settings[.modelName] = modelName.map { .text($0) }
    settings[.system] = system.map { .text($0) }
    settings[.caFile] = caFile.map { .text($0) }
    settings[.certificate] = certificate.map { .text($0) }
    settings[.privateKey] = privateKey.map { .text($0) }
    settings[.transport] = transport.map { .text($0.rawValue) }
    settings[.approve] = approve.map { .text($0.rawValue) }
    settings[.locale] = locale.map { .text($0) }
    settings[.color] = color.map { .text($0.rawValue) }
    settings[.plain] = plain.map { .flag($0) }
    settings[.keep] = keep.map { .flag($0) }
    settings[.timeout] = timeout.map { .number($0) }
    settings[.allowPlaintext] = allowPlaintext.map { .flag($0) }
    settings[.qlog] = qlog.map { .text($0) }
    settings[.logLevel] = (logLevel ?? (verbose ? .info : nil)).map { .text($0.rawValue) }
    return settings
  }
}
