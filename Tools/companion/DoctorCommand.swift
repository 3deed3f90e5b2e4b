import ArgumentParser
import CodexCompanion
import Foundation
import ResolveKitCore

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Examines what 'serve' needs, and suggests remedies.",
    discussion: """
      Takes the options that 'serve' is started with. Nothing is changed; codex is started once and ended again. \
      Exit status: 0 where the companion can serve, 1 where a problem was found; warnings alone are no failure.
      """)

  @OptionGroup var state: StateOptions
  @OptionGroup var options: ServeOptions

  @Flag(
    help: "Print one JSON object: {\"ok\": …, \"findings\": [{\"subject\", \"verdict\", \"sentence\", \"remedy\"}]}.")
  var json = false

  func run() async throws {
    let certificate = options.certificate.flatMap { chain in options.privateKey.map { (chain: chain, privateKey: $0) } }
    let server = ExaminedServer(
      folder: state.folder, environment: ProcessInfo.processInfo.environment, codex: options.codex ?? "codex",
      address: options.address, port: options.port,
      hosts: try Credentials.names(address: options.address, hosts: options.host), certificate: certificate)
    let findings = await Doctor(server).examine()
    let isHealthy = !findings.contains { $0.verdict == .problem }
    if json {
      print(JSONValue.object(["ok": .bool(isHealthy), "findings": .array(findings.map(\.json))]).jsonText)
    } else {
      for line in findings.flatMap(Self.lines) { print(line) }
    }
    guard isHealthy else { throw ExitCode(1) }
  }

  /// The sentence, and below it what to do.
  static func lines(_ finding: DoctorFinding) -> [String] {
    let mark =
      switch finding.verdict {
      case .good: "ok      "
      case .warning: "warning "
      case .problem: "PROBLEM "
      }
    let remedy = finding.remedy.map { ["        -> \($0.visible)"] } ?? []
    return ["\(mark)\(finding.subject.rawValue): \(finding.sentence.visible)"] + remedy
  }
}
