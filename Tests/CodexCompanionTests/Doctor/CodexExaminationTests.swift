import CodexAppServer
import ResolveKitCore
import Testing

@testable import CodexCompanion

@Suite struct CodexExaminationTests {
  private func greeting(_ version: String) -> AppServerGreeting {
    AppServerGreeting(["userAgent": .string("x/\(version) (Debian)")])
  }

  @Test(arguments: [
    ("0.163.0", DoctorFinding.Verdict.good), ("0.163.9", .good), ("0.162.9", .problem), ("0.164.0", .warning),
    ("1.0.0", .warning), ("nightly", .problem),
  ])
  func aVersionIsJudged(version: String, verdict: DoctorFinding.Verdict) {
    let findings = CodexExamination("/c", .started(greeting(version), configurationError: nil)).findings
    #expect(findings.map(\.subject) == [.codex, .configuration])
    #expect(findings.map(\.verdict) == [verdict, .good])
    #expect(findings.allSatisfy { ($0.remedy == nil) == ($0.verdict == .good) })
  }

  @Test func aConfigurationThatCodexRefusesIsDistinguished() {
    let refused = CodexExamination("/c", .started(greeting("0.163.0"), configurationError: "unclosed array")).findings
    #expect(refused.last?.verdict == .problem && refused.last?.sentence.contains("unclosed array") == true)
    let ended = CodexExamination(
      "/c", .failed(#"approval_policy = "untrusted" is no longer supported; remove this setting"#)
    ).findings
    #expect(ended.map(\.subject) == [.configuration] && ended.map(\.verdict) == [.problem])
    let other = CodexExamination("/c", .failed("error: unrecognized subcommand\u{1B}[2J")).findings
    #expect(other.map(\.subject) == [.codex] && other.map(\.verdict) == [.problem])
    #expect(other.first?.sentence.contains("\u{1B}") == false)
  }
}
