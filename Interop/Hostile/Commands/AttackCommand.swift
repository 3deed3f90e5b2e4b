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
      Each case is one connection, which ends with a good GET of / where the case is not to end it before. The server has \
      to answer on 127.0.0.1 with a certificate for the host. Exit codes: 0 all passed; 1 one failed; 64 usage.
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
    var failed = 0
    for row in rows {
      var configuration = ClientConfiguration(host: host, verifier: verifier)
      configuration.connection.isRaw = true
      row.change(&configuration)
      let runner = try AttackRunner(row, configuration, server: .loopback(port: port), on: loop)
      let outcome = try await runner.run()
      let fit = outcome.fit(row.demands)
      if fit == .none { failed += 1 }
      let name = row.name + String(repeating: " ", count: max(1, 32 - row.name.count))
      let wanted = fit == .none ? " Demanded: \(row.demands.map(\.description).joined(separator: "; "))." : ""
      print(
        "\(name)\(fit == .none ? "failed" : "passed")  \(outcome)\(fit == .generic ? " (generic code)" : "")\(wanted)")
      fflush(nil)
    }
    print("\(rows.count - failed) passed, \(failed) failed")
    if failed > 0 { throw ExitCode(1) }
  }
}
