import CodexWorkersClient
import EventLedger
import Foundation
import Logging
import StreamTransport
import Synchronization
import TestSupport
import WorkerRuntime

/// A runtime on loopback sockets with the client that belongs to it: what a person's machine and a server do.
final class LoopbackRuntime: Sendable {
  let server: WorkerServer
  /// The runtime's log, and the clients'.
  let log = LogBook()
  let clientLog = LogBook()
  let ledger: any EventLedger
  private let origin: Origin
  private let tls: TLSOptions
  /// Codes that were sent, by their addresses.
  private let codes: Mailbox
  private let transports = Mutex<[any HTTPTransport]>([])

  private final class Mailbox: Sendable {
    let codes = Mutex<[String: String]>([:])
  }

  init(_ change: (inout RuntimeSettings) -> Void = { _ in }) async throws {
    let certificate = try DevelopmentCertificate.make()
    let mailbox = Mailbox()
    var settings = RuntimeSettings()
    settings.mailer = { email, code in mailbox.codes.withLock { $0[email] = code } }
    change(&settings)
    codes = mailbox
    ledger = try SQLiteEventLedger.open(path: nil)
    server = WorkerServer(
      RuntimeConfiguration(
        address: "127.0.0.1", port: 0,
        identities: [
          ServerIdentity(certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM)
        ], settings: settings),
      ledger: ledger, logger: log.logger("runtime"))
    origin = Origin(scheme: .https, host: "127.0.0.1", port: try await server.start())
    tls = TLSOptions(trust: .certificates(pem: certificate.certificatePEM))
  }

  /// Runs a test with a runtime, which is ended with it.
  static func run(
    _ change: (inout RuntimeSettings) -> Void = { _ in }, _ body: (LoopbackRuntime) async throws -> Void
  ) async throws {
    let runtime = try await LoopbackRuntime(change)
    let result: Result<Void, any Error>
    do { result = .success(try await body(runtime)) } catch { result = .failure(error) }
    for transport in runtime.transports.withLock({ $0 }) { await transport.close() }
    await runtime.server.shutdown()
    try result.get()
  }

  /// Ids and statuses of the requests, as the runtime's log has them.
  var outcomes: [(id: String, status: String)] {
    log.lines.compactMap { line in
      guard let status = line.message.firstMatch(of: #/ (\d{3}) in /#) else { return nil }
      return (line.metadata["x-request-id"] ?? "", String(status.1))
    }
  }

  /// A token that the operator gives.
  func token(_ email: String) async throws -> String {
    try await server.core.accounts.issue(to: email, name: "test").secret
  }

  /// A client over HTTP/3.
  ///
  /// - Parameter cuts: what happens to its streams, one after the other.
  func client(cuts: [CuttingTransport.Cut] = [], _ token: @escaping @Sendable () async -> String?) -> WorkersClient {
    WorkersClient(
      baseURL: URL(filePath: "/"), transport: transport(cuts), configuration: Self.patient,
      logger: clientLog.logger("client"), token: token)
  }

  /// The same with a token of the operator's.
  func client(of email: String, cuts: [CuttingTransport.Cut] = []) async throws -> WorkersClient {
    let token = try await token(email)
    return client(cuts: cuts) { token }
  }

  /// Signs in as a person does: asks for a code, and gives it back.
  func signIn(_ email: String) async throws -> WorkersCredential {
    let signIn = WorkersSignIn(
      baseURL: URL(filePath: "/"), transport: transport([]), configuration: Self.patient,
      logger: clientLog.logger("sign-in"))
    let pending = try await signIn.begin(email: email)
    return try await signIn.finish(pending, code: codes.codes.withLock { $0[email] } ?? "")
  }

  /// Ends the tokens that a user has by e-mail.
  func endSignIns(of user: String?) async throws {
    for issued in try await server.core.accounts.book().tokens(of: user) where issued.name == "e-mail" {
      _ = try await server.core.accounts.revoke(issued.id)
    }
  }

  private func transport(_ cuts: [CuttingTransport.Cut]) -> any HTTPTransport {
    let transport = HTTP3Transport(
      origin: origin, tls: tls, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, configuration: .patient
    )
    transports.withLock { $0.append(transport) }
    return cuts.isEmpty ? transport : CuttingTransport(transport, cuts: cuts)
  }

  /// Times that a busy machine does not exceed.
  private static var patient: WorkersConfiguration {
    var configuration = WorkersConfiguration()
    configuration.callTimeout = .seconds(240)
    configuration.requestTimeout = .seconds(240)
    configuration.idleTimeout = .seconds(240)
    return configuration
  }
}
