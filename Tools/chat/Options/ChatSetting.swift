import Configuration

/// A setting by a flag, `RESOLVEKIT_…` in the environment, or the configuration file, under the same name.
enum ChatSetting: String, CaseIterable {
  case baseURL = "base-url"
  case apiKey = "api-key"
  case apiKeyFile = "api-key-file"
  case modelURL = "model-url"
  case modelName = "model-name"
  case system
  case caFile = "ca-file"
  case certificate
  case privateKey = "private-key"
  case transport
  case approve
  case locale
  case color
  case plain
  case keep
  case timeout
  case allowPlaintext = "allow-plaintext"
  case qlog
  case logLevel = "log-level"

  var type: ConfigType {
    switch self {
    case .plain, .keep, .allowPlaintext: .bool
    case .timeout: .double
    case .baseURL, .apiKey, .apiKeyFile, .modelURL, .modelName, .system, .caFile, .certificate, .privateKey,
      .transport, .approve, .locale, .color, .qlog, .logLevel:
      .string
    }
  }

  /// `RESOLVEKIT_BASE_URL` and so on.
  var variable: String {
    "RESOLVEKIT_" + rawValue.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }
}

/// A value of a setting.
enum ChatValue: Equatable {
  case text(String)
  case number(Double)
  case flag(Bool)

  var description: String {
    switch self {
    case .text(let text): text
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    }
  }
}
