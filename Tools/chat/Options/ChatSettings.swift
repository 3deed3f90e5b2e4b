import Configuration
import Foundation
import Logging
import ResolveKitTerminal
import ResolveKitUI
import StreamTransport

/// The settings: by flags, else by the environment, else by the configuration file.
struct ChatSettings {
  /// A value and where it is from.
  struct Found: Equatable {
    var value: ChatValue
    var source: String
  }

  private(set) var found: [ChatSetting: Found] = [:]

  /// `$XDG_CONFIG_HOME/agent-stream/chat.json`, or below `~/.config`.
  static func standardFile(environment: [String: String]) -> String {
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
    return folder + "/agent-stream/chat.json"
  }

  /// Throws ``ChatFailure`` for a file that can't be read and for a value that can't be taken.
  static func load(_ options: ChatOptions, environment: [String: String]) throws -> ChatSettings {
    let path = options.config ?? standardFile(environment: environment)
    let file = try ChatConfigurationFile.read(path, isRequired: options.config != nil)
    let given = EnvironmentVariablesProvider(environmentVariables: environment.filter { !$0.value.isEmpty })
      .prefixKeys(with: "resolvekit")
    var settings = ChatSettings()
    let flags = options.settings
    for setting in ChatSetting.allCases {
      if let value = flags[setting] {
        settings.found[setting] = Found(value: value, source: "command line")
      } else if let value = try Self.value(of: setting, in: given) {
        settings.found[setting] = Found(value: value, source: setting.variable)
      } else if let value = file[setting] {
        settings.found[setting] = Found(value: value, source: path)
      }
    }
    settings.settleOnBackend(chosenBy: flags)
    try settings.check()
    return settings
  }

  private static func value(of setting: ChatSetting, in environment: some ConfigProvider) throws -> ChatValue? {
    let content: ConfigContent?
    do {
      content = try environment.value(forKey: AbsoluteConfigKey([setting.rawValue]), type: setting.type).value?.content
    } catch {
      throw ChatFailure(
        code: .usage, message: "\(setting.variable) is of another type; it takes \(setting.type.example)")
    }
    return switch content {
    case .string(let text)?: .text(text)
    case .double(let number)?: .number(number)
    case .bool(let flag)?: .flag(flag)
    case nil, _?: nil
    }
  }

  /// A flag that names a backend, or a model for the one inside this program, overrules all that the environment and the
  /// file say of the other.
  private mutating func settleOnBackend(chosenBy flags: [ChatSetting: ChatValue]) {
    switch (flags[.baseURL], flags[.modelURL]) {
    case (_?, nil): for setting in Self.modelSettings where flags[setting] == nil { found[setting] = nil }
    case (nil, _?): found[.baseURL] = nil
    case (_?, _?), (nil, nil): break
    }
  }

  private static let modelSettings = [ChatSetting.modelURL, .modelName, .system]

  /// One line for each setting; secrets are not shown.
  var description: String {
    ChatSetting.allCases.map { setting in
      guard let found = found[setting] else { return "\(setting.rawValue): not set\n" }
      return "\(setting.rawValue) = \(TerminalText.line(Self.shown(setting, found.value))) (\(found.source))\n"
    }.joined()
  }

  private static func shown(_ setting: ChatSetting, _ value: ChatValue) -> String {
    switch setting {
    case .apiKey: return "(hidden)"
    case .baseURL, .modelURL:
      guard var parts = URLComponents(string: value.description), parts.user != nil || parts.query != nil else { break }
      parts.user = parts.user.map { _ in "hidden" }
      parts.password = nil
      parts.query = parts.query.map { _ in "hidden" }
      return parts.string ?? "(hidden)"
    default: break
    }
    return value.description
  }

  // MARK: Values

  func text(_ setting: ChatSetting) -> String? {
    guard case .text(let text)? = found[setting]?.value else { return nil }
    return text
  }

  private func flag(_ setting: ChatSetting) -> Bool? {
    guard case .flag(let flag)? = found[setting]?.value else { return nil }
    return flag
  }

  private var timeout: Double? {
    guard case .number(let number)? = found[.timeout]?.value else { return nil }
    return number
  }

  private func check() throws(ChatFailure) {
    func refuse(_ setting: ChatSetting, _ remedy: String) -> ChatFailure {
      let source = found[setting]?.source ?? ""
      return ChatFailure(code: .usage, message: "\(setting.rawValue) (\(source)) \(remedy)")
    }
    if let timeout, !(timeout > 0 && timeout <= 86_400) {
      throw refuse(.timeout, "takes seconds, more than 0 and at most 86400")
    }
    if let url = text(.baseURL), URL(string: url)?.host(percentEncoded: false)?.isEmpty ?? true {
      throw refuse(.baseURL, "is no address; give one such as https://localhost:8443")
    }
    for setting in Self.modelSettings where found[setting] != nil {
      if let url = found[.baseURL] {
        throw refuse(
          setting,
          "is for the backend inside this program, and base-url (\(url.source)) names another; give one of them")
      }
      if text(.modelURL) == nil {
        throw refuse(setting, "is for a model; name its address with model-url, such as https://api.openai.com/v1")
      }
      if text(.modelName)?.isEmpty ?? true {
        throw refuse(.modelURL, "needs the model's name at that endpoint; give it with model-name")
      }
    }
    if let name = text(.transport), TransportChoice(rawValue: name) == nil {
      throw refuse(.transport, "is auto, h3 or h1")
    }
    if let name = text(.approve), ApprovalChoice(rawValue: name) == nil {
      throw refuse(.approve, "is ask, all or none")
    }
    if let name = text(.color), OutputStyle.Choice(rawValue: name) == nil {
      throw refuse(.color, "is auto, always or never")
    }
    if let name = text(.logLevel), LogLevel(rawValue: name) == nil {
      throw refuse(.logLevel, "is trace, debug, info, notice, warning, error or critical")
    }
  }

  var transport: TransportChoice { text(.transport).flatMap { TransportChoice(rawValue: $0) } ?? .auto }
  var approve: ApprovalChoice { text(.approve).flatMap { ApprovalChoice(rawValue: $0) } ?? .ask }
  var color: OutputStyle.Choice { text(.color).flatMap { OutputStyle.Choice(rawValue: $0) } ?? .auto }
  var isPlain: Bool { flag(.plain) ?? false }
  var isKept: Bool { flag(.keep) ?? true }
  var allowsPlaintext: Bool { flag(.allowPlaintext) ?? false }
  var logLevel: Logger.Level { text(.logLevel).flatMap { LogLevel(rawValue: $0) }?.level ?? .warning }
  /// The time limit of the first connection.
  var connectTimeout: Duration { .seconds(timeout ?? 30) }
  /// The time limit of a turn, nil for none.
  var turnTimeout: Duration? { timeout.map { .seconds($0) } }
}
