import ArgumentParser
import CodexAppServer
import EventLedger
import Foundation
import HummingbirdHTTP3
import ServerProgram
import StreamTransport
import WorkerRuntime

/// Serves until SIGTERM or SIGINT, then drains: GOAWAY, event streams end gracefully, readers continue elsewhere.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Listens on one TCP and UDP port and serves until SIGTERM.",
    discussion: "Several runtimes may serve one PostgreSQL database: all have the same workers.")

  @OptionGroup var database: DatabaseOptions

  @Option(help: "IP address to listen on.")
  var address = "127.0.0.1"

  @Option(help: "TCP and UDP port; 0 takes a free one.")
  var port = 8_790

  @OptionGroup var certificate: CertificateOptions

  @Option(help: "runtime: failures of a stream have their status. laravel: as the contract's proxy reports them.")
  var dialect = Dialect.runtime

  @Option(help: "Seconds that a device has for a request.")
  var requestTimeout = 30.0

  @Option(help: "Requests to workers that a user may make in a minute.")
  var requestRate = 60

  @Option(help: "Seconds between keep-alive comments on endless streams.")
  var keepAlive = 15.0

  @Option(help: "Events that are kept of each worker.")
  var keptEvents: Int64 = 100_000

  @Option(help: "Seconds to wait for running requests on SIGTERM.")
  var drainTimeout = 10.0

  @Option(help: ArgumentHelp("local: run codex beside the runtime, for workers of this adapter.", valueName: "name"))
  var adapter: HostedAdapter?

  @Option(help: ArgumentHelp("The codex program of --adapter local. Default: codex on the PATH.", valueName: "path"))
  var codex: String?

  @Option(
    help: ArgumentHelp(
      "The folder of hosted workers' homes and working folders. Default: hosted in the state folder.", valueName: "path"
    ))
  var hostedFolder: String?

  @Flag(help: "Let people sign in by e-mail, and print the codes on standard error instead of sending them.")
  var printCodes = false

  @OptionGroup var qlog: QlogOptions

  @OptionGroup var accessLog: AccessLogOptions

  @OptionGroup var log: LogOptions

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port is a number from 0 to 65535.") }
    try NumericAddress.check(address)
    guard [requestTimeout, keepAlive, drainTimeout].allSatisfy({ $0.isFinite && $0 > 0 && $0 < 1e6 }) else {
      throw ValidationError("Times are seconds greater than 0 and less than 1000000.")
    }
    guard (1...1_000_000).contains(requestRate), (1...1_000_000_000).contains(keptEvents) else {
      throw ValidationError("--request-rate and --kept-events are 1 or more, and no more than the machine can hold.")
    }
  }

  func run() async throws {
    let logger = log.logger("workers")
    let supervision = try Supervision.take(logger)
    let address = supervision.address(instead: address)
    let certificate = try certificate.choose(
      address: address, state: StateFolder(environment: ProcessInfo.processInfo.environment), logger: logger)
    var settings = RuntimeSettings()
    settings.dialect = dialect
    settings.requestTimeout = .seconds(requestTimeout)
    settings.requestsPerMinute = requestRate
    settings.keepAlive = .seconds(keepAlive)
    settings.keptEvents = keptEvents
    settings.hosted = try adapter == nil ? nil : hosted()
    if printCodes {
      settings.mailer = { email, code in
        try FileHandle.standardError.write(contentsOf: Data("code for \(email): \(code)\n".utf8))
      }
    }
    var configuration = RuntimeConfiguration(
      address: address, port: port, identities: certificate.identities, settings: settings)
    configuration.drainTimeout = .seconds(drainTimeout)
    configuration.http3.qlogDirectory = qlog.qlog
    configuration.http3.qlogSampling = qlog.sampling
    configuration.sockets = supervision.sockets
    let accessLog = try accessLog.open(logger)
    configuration.accessLog = accessLog?.append
    configuration.clientCertificates = certificate.clients
    let server = WorkerServer(configuration, ledger: try await database.open(), logger: logger)
    let service = AnnouncedServer(
      lines: certificate.lines, start: { AnnouncedServer.line(address: address, port: try await server.start()) },
      renewal: CertificateRenewal(certificate.files) { try server.use($0, clientAuthoritiesPEM: $1) },
      supervision: supervision,
      shutdown: { await server.shutdown() })
    try await service.serve(logger: logger, accessLog: accessLog)
  }

  private func hosted() throws -> HostedSettings {
    let environment = ProcessInfo.processInfo.environment
    let folder =
      try hostedFolder.map { URL(filePath: $0).standardizedFileURL.path(percentEncoded: false) }
      ?? StateFolder(environment: environment).make() + "/hosted"
    return HostedSettings(
      program: try CodexProgram(codex ?? "codex", environment: environment), environment: environment,
      codexHome: environment["CODEX_HOME"] ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.codex", folder: folder)
  }
}

extension Dialect: ExpressibleByArgument {}

/// Adapters that a runtime offers itself.
enum HostedAdapter: String, ExpressibleByArgument, CaseIterable {
  case local
}
