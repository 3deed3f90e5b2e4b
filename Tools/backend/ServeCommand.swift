import ArgumentParser
import Foundation
import HummingbirdHTTP3
import ReferenceBackend
import ServerProgram
import StreamTransport

/// Serves until SIGTERM or SIGINT, then drains: GOAWAY, event streams end gracefully. At the next start turns that waited
/// for tools keep waiting, and others that ran are reported as interrupted.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Listens on one TCP and UDP port and serves until SIGTERM.")

  @Option(help: "IP address to listen on.")
  var address = "127.0.0.1"

  @Option(help: "TCP and UDP port; 0 takes a free one.")
  var port = 8443

  @OptionGroup var certificate: CertificateOptions

  @Option(
    help: ArgumentHelp(
      "SQLite file, ':memory:', or a PostgreSQL database that backends share: postgres://user@host/name. Default: "
        + "backend.sqlite in the state folder.", valueName: "file|url"))
  var database: String?

  @Option(help: "Seconds after a backend's last sign of life until another one takes over its turns.")
  var turnLease = 10.0

  @Option(help: "File with API keys, one a line. Default: RESOLVEKIT_API_KEY, else a key made in the state folder.")
  var apiKeyFile: String?

  @OptionGroup(title: "Model")
  var model: ModelOptions

  @Option(help: "Seconds after which an event stream ends gracefully; clients resume it.")
  var streamLifetime = 300.0

  @Option(help: "Event streams of one session at a time.")
  var streamsPerSession = 64

  @Option(help: "Seconds between keep-alive comments.")
  var keepAlive = 15.0

  @Option(help: "Seconds that a session lives without a message.")
  var sessionLifetime = 43_200.0

  @Option(help: "Seconds that events are kept, and sessions after their last use.")
  var retention = 2_592_000.0

  @Option(help: "Seconds to wait for running requests on SIGTERM.")
  var drainTimeout = 10.0

  @Option(help: "File with the key for the routes below /internal, by which people speak. Default: they are closed.")
  var operatorKeyFile: String?

  @Option(help: ArgumentHelp("A page's origin that may have client tokens; may be repeated.", valueName: "url"))
  var allowOrigin: [String] = []

  @OptionGroup(title: "The contract's other sides")
  var contract: ContractOptions

  @OptionGroup(title: "Faults, for tests of clients")
  var faults: FaultOptions

  @Option(
    help: ArgumentHelp(
      "Serve this folder's files, without a key, where the contract has no route: a page of one's own.",
      valueName: "dir"))
  var files: String?

  @Flag(help: "Validate the address of every new HTTP/3 client first (QUIC Retry).")
  var retry = false

  @Option(help: "Event loops that share the HTTP/3 connections, 1 to 64.")
  var loops = 1

  @OptionGroup var qlog: QlogOptions

  @OptionGroup var accessLog: AccessLogOptions

  @OptionGroup var log: LogOptions

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port is a number from 0 to 65535.") }
    guard (1...20_000).contains(streamsPerSession) else {
      throw ValidationError("--streams-per-session is a number from 1 to 20000.")
    }
    guard (1...64).contains(loops) else { throw ValidationError("--loops is a number from 1 to 64.") }
    try NumericAddress.check(address)
    if let files {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: files, isDirectory: &isFolder), isFolder.boolValue else {
        throw ValidationError("--files is a folder; there is none at '\(files)'.")
      }
    }
    let seconds = [streamLifetime, keepAlive, sessionLifetime, retention, drainTimeout, turnLease]
    guard seconds.allSatisfy({ $0.isFinite && $0 > 0 && $0 < 1e9 }) else {
      throw ValidationError("Times are seconds greater than 0 and less than 1000000000.")
    }
  }

  func run() async throws {
    let logger = log.logger("backend")
    let supervision = try Supervision.take(logger)
    guard loops == 1 || supervision.sockets == nil else {
      throw ValidationError("--loops is for sockets of the backend's own; one loop serves those that are passed.")
    }
    let state = StateFolder(environment: ProcessInfo.processInfo.environment)
    let credentials = try certificate.choose(
      address: supervision.address(instead: address), state: state, logger: logger)
    let keys = try AcceptedKeys.choose(
      file: apiKeyFile, environment: ProcessInfo.processInfo.environment, state: state)
    let operatorKey = try operatorKeyFile.map { file in
      guard let key = try AcceptedKeys.read(file).first else { throw ValidationError("'\(file)' has no key in it.") }
      return key
    }
    let database = try DatabaseChoice(database, state: state)
    var settings = BackendSettings(
      keepAlive: .seconds(keepAlive), streamLifetime: .seconds(streamLifetime),
      sessionLifetime: .seconds(sessionLifetime), retention: .seconds(retention),
      streamsPerSession: streamsPerSession, allowedOrigins: Set(allowOrigin), turnLease: .seconds(turnLease))
    contract.apply(to: &settings)
    var configuration = BackendConfiguration(
      address: address, port: port, identities: credentials.identities, databasePath: database.path,
      apiKeys: keys.values,
      model: try model.makeModel(environment: ProcessInfo.processInfo.environment),
      settings: settings, drainTimeout: .seconds(drainTimeout),
      http3: HTTP3ServerOptions(
        alwaysValidatesAddresses: retry, ticketSecretFile: database.path.map { $0 + ".ticket-secret" },
        qlogDirectory: qlog.qlog),
      filesFolder: files, operatorKey: operatorKey, faults: try faults.make(),
      sharedDatabase: try await database.openShared())
    configuration.http3.loops = loops
    configuration.http3.qlogSampling = qlog.sampling
    configuration.sockets = supervision.sockets
    let accessLog = try accessLog.open(logger)
    configuration.accessLog = accessLog?.append
    configuration.clientCertificates = credentials.clients
    let backend = Backend(configuration, logger: logger)
    let service = AnnouncedServer(
      lines: credentials.lines + keys.lines, start: { AnnouncedServer.line(url: try await backend.start().url) },
      renewal: CertificateRenewal(credentials.files) { try backend.use($0, clientAuthoritiesPEM: $1) },
      supervision: supervision,
      shutdown: { await backend.shutdown() })
    try await service.serve(logger: logger, accessLog: accessLog)
  }
}
