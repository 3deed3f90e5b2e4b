import ArgumentParser
import Foundation
import HTTP3Engine
import StreamTransport

/// `attack`: all cases of the second table, or some, against a server.
struct AttackCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attack",
    abstract: "Plays a hostile client's cases with a server on this machine and prints a table.",
    discussion: """
      Each case is one connection, which ends with a good GET of / where the case is not to end it before; after it \
      another client makes a good request. The server has to answer on 127.0.0.1 with a certificate for the host. Exit \
      codes: 0 none failed; 1 one failed, or the server no longer answers; 64 usage.
      """)

  @Option(help: "The server's UDP port on 127.0.0.1.")
  var port: UInt16 = 4_433

  @Option(help: "A PEM file with the authority of the server's certificate.")
  var ca: String?

  @Option(help: "The name in the server's certificate.")
  var host = "localhost"

  @Flag(help: "Print the table and play nothing.")
  var list = false

  @Argument(help: "Names from `--list`; all without one.")
  var cases: [String] = []

  func validate() throws {
    for name in cases where AttackCase.named(name) == nil {
      throw ValidationError("'\(name)' is no case; see `attack --list`.")
    }
    guard list || ca != nil else { throw ValidationError("--ca names the file with the server's authority.") }
  }

  func run() async throws {
    let rows = cases.isEmpty ? AttackCase.all : cases.compactMap(AttackCase.named)
    guard !list else {
      for row in rows {
        print("\(row.name)\n  \(row.does) (\(row.rule))\n  → \(row.demands.map(\.description).joined(separator: "; "))")
      }
      return
    }
    guard let ca else { return }
    let authority = try Data(contentsOf: URL(fileURLWithPath: ca))
    let verifier = try CertificateVerifier(.authorities(pem: Array(authority)))
    let loop = try EventLoop(name: "hostile")
    defer { loop.stop() }
    var counts: [CaseVerdict.Result: Int] = [:]
    for row in rows {
      let started = loop.now
      let outcome = try await play(row, verifier, on: loop)
      let seconds = (loop.now - started) / .seconds(1)
      let result = Self.result(outcome, row)
      counts[result, default: 0] += 1
      print(Self.line(row, result, outcome, seconds: seconds))
      fflush(nil)
      guard try await play(AttackCase.good, verifier, on: loop) == .success else {
        print("The server does not answer the next client's good request after '\(row.name)'.")
        throw ExitCode(1)
      }
    }
    print("\(counts[.passed] ?? 0) passed, \(counts[.failed] ?? 0) failed, \(counts[.skipped] ?? 0) skipped")
    if counts[.failed] != nil { throw ExitCode(1) }
  }

  private func play(_ row: AttackCase, _ verifier: CertificateVerifier, on loop: EventLoop) async throws -> CaseOutcome?
  {
    var configuration = ClientConfiguration(host: host, verifier: verifier)
    configuration.connection.isRaw = true
    row.change(&configuration)
    return try await AttackRunner(row, configuration, server: .loopback(port: port), on: loop).run()
  }

  private static func result(_ outcome: CaseOutcome?, _ row: AttackCase) -> CaseVerdict.Result {
    guard let outcome else { return .skipped }
    return outcome.fit(row.demands) == .none ? .failed : .passed
  }

  private static func line(
    _ row: AttackCase, _ result: CaseVerdict.Result, _ outcome: CaseOutcome?, seconds: Double
  ) -> String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    let time = "\((seconds * 1e3).rounded() / 1e3) s"
    let note =
      switch result {
      case .failed: " (demanded: \(row.demands.map(\.description).joined(separator: "; ")))"
      case .passed: outcome?.fit(row.demands) == .generic ? " (generic code)" : ""
      case .skipped: ""
      }
    let text = outcome?.description ?? "the server allows too few streams"
    return padded(row.name, 32) + padded(result.rawValue, 8) + padded(time, 9) + text + note
  }
}
