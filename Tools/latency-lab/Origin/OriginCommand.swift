import ArgumentParser
import Foundation
import Logging
import StreamTransport
import UnixSignals

/// Serves a schedule until SIGTERM; started by `run` in the server's namespace.
struct OriginCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "origin", abstract: "Serves a schedule's event streams until SIGTERM.",
    discussion: "Prints 'ready' once it listens.", shouldDisplay: false)

  @Option(help: "The plan that clients get, as JSON.")
  var schedule: String

  @Option(help: "IP address for HTTP/3, HTTP/2 and HTTP/1.1 over TLS.")
  var address: String?

  @Option(help: "TCP and UDP port for them.")
  var port = 4_433

  @Option(help: "Certificate chain, PEM.")
  var certificate: String?

  @Option(help: "Private key of --certificate, PEM.")
  var key: String?

  @Option(help: "File of the secret that session tickets are sealed with, so that clients resume after a restart.")
  var ticketSecret: String?

  @Option(help: "Milliseconds that running streams have to end by themselves after SIGTERM.")
  var drain = 200

  @Option(help: "Port for plain HTTP/1.1 on 127.0.0.1.")
  var plainPort: Int?

  @Flag(help: "Begin connections with QUIC's own first guess of the round trip.")
  var stockRecovery = false

  @Option(help: "IPv4 address of the client toward which each token is marked for a link that loses by token.")
  var markTokens: String?

  @Option(help: ArgumentHelp("Folder for a qlog file of each QUIC connection.", visibility: .hidden))
  var qlog: String?

  func validate() throws {
    guard address != nil || plainPort != nil else {
      throw ValidationError("Give --address, --certificate and --key, or --plain-port, or all of them.")
    }
    guard (address == nil) == (certificate == nil), (certificate == nil) == (key == nil) else {
      throw ValidationError("--address, --certificate and --key go together.")
    }
    for port in [port, plainPort ?? 0] where !(0...65_535).contains(port) {
      throw ValidationError("A port is a number from 0 to 65535.")
    }
    guard (0...600_000).contains(drain) else { throw ValidationError("--drain is 0 to 600000 milliseconds.") }
  }

  func run() async throws {
    let plan = try ClientPlan.read(schedule)
    var logger = Logger(label: "origin") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .critical
    let origin = try LabOrigin(
      plan: plan, secure: try secure(), plainPort: plainPort, markedClient: markTokens, logger: logger)
    // Before the first line is written: its reader may end this process at once.
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    _ = try await origin.start()
    try FileHandle.standardOutput.write(contentsOf: Data("ready\n".utf8))
    for await _ in signals { break }
    await origin.stop()
  }

  private func secure() throws -> LabOrigin.Secure? {
    guard let address, let certificate, let key else { return nil }
    return LabOrigin.Secure(
      address: address, port: port, certificatePEM: try Self.text(certificate), privateKeyPEM: try Self.text(key),
      ticketSecretFile: ticketSecret, drainTimeout: .milliseconds(drain), hasStockRecovery: stockRecovery,
      qlogFolder: qlog)
  }

  private static func text(_ path: String) throws -> String {
    do {
      return try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw ValidationError("'\(path)' cannot be read: \(error.localizedDescription)")
    }
  }
}
