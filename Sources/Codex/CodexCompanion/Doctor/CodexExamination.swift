import CodexAppServer
import ResolveKitCore

/// The findings of a trial of codex about it and its configuration.
struct CodexExamination {
  private let path: String
  private let outcome: AppServerTrial.Outcome

  init(_ path: String, _ outcome: AppServerTrial.Outcome) {
    self.path = path
    self.outcome = outcome
  }

  var findings: [DoctorFinding] {
    switch outcome {
    case .failed(let word): [refusal(word.visible)]
    case .started(let greeting, let complaint): [version(greeting), configuration(complaint)]
    }
  }

  /// codex 0.163 does not start at all with a setting that it has given up, such as `approval_policy = "untrusted"`.
  private func refusal(_ word: String) -> DoctorFinding {
    guard word.contains("remove this setting") else {
      return .problem(
        .codex, "'\(path)' does not start: \(word)",
        remedy: "Install Codex \(CodexVersion.oldest) or newer, and try 'codex app-server' by hand.")
    }
    return .problem(
      .configuration, "Codex does not start with its configuration: \(word)",
      remedy: "Remove that setting from config.toml in $CODEX_HOME, by default ~/.codex.")
  }

  private func version(_ greeting: AppServerGreeting) -> DoctorFinding {
    guard let version = greeting.version else {
      return .problem(
        .codex, "'\(path)' does not report its version.", remedy: "Install Codex \(CodexVersion.oldest) or newer.")
    }
    if version < .oldest {
      return .problem(
        .codex, "'\(path)' is Codex \(version), which is too old.",
        remedy: "Install Codex \(CodexVersion.oldest) or newer.")
    }
    if (version.major, version.minor) > (CodexVersion.newestTried.major, CodexVersion.newestTried.minor) {
      return .warning(
        .codex, "'\(path)' is Codex \(version), newer than \(CodexVersion.newestTried), the last that was tried.",
        remedy: "Update the companion, or install Codex \(CodexVersion.newestTried) where something is missing.")
    }
    return .good(.codex, "'\(path)' is Codex \(version).")
  }

  private func configuration(_ complaint: String?) -> DoctorFinding {
    guard let complaint else { return .good(.configuration, "Codex takes its configuration.") }
    return .problem(
      .configuration, "Codex refuses its configuration, so that no chat can be begun: \(complaint.visible)",
      remedy: "Correct config.toml in $CODEX_HOME, by default ~/.codex.")
  }
}
