import Foundation
import Logging
import StreamTransport

/// A scripted HTTP/3 server on loopback, to be looked at with `h3get`.
struct H3GetServer: Sendable {
  let port: Int
  /// Holds the certificate, and whatever a test wants written.
  let folder: URL

  var authority: String { folder.appending(path: "certificate.pem").path }

  static func run<Result>(
    clients: ClientCertificatePolicy? = nil,
    handler: @escaping @Sendable (HTTP3ServerExchange) async -> Void,
    body: (H3GetServer) async throws -> Result
  ) async throws -> Result {
    let certificate = try DevelopmentCertificate.make()
    let folder = FileManager.default.temporaryDirectory.appending(path: "h3get-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var configuration = HTTP3ServerConfiguration(
      address: "127.0.0.1", port: 0, certificatePEM: certificate.certificatePEM,
      privateKeyPEM: certificate.privateKeyPEM)
    configuration.clientCertificates = clients
    let server = HTTP3Server(
      configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, handler: handler)
    let own = H3GetServer(port: try await server.start(), folder: folder)
    try Data(certificate.certificatePEM.utf8).write(to: URL(fileURLWithPath: own.authority))
    do {
      let result = try await body(own)
      await server.close()
      return result
    } catch {
      await server.close()
      throw error
    }
  }

  /// Waits until the client has left.
  static func untilCancelled() async {
    let (nothing, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in nothing {}
    withExtendedLifetime(continuation) {}
  }

  func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

  /// Runs `h3get` with these options on these paths.
  func h3get(
    _ options: [String], _ paths: [String] = ["/"], input: String = ""
  ) async throws -> BuiltProgram.Outcome {
    try await BuiltProgram(name: "h3get").run(
      ["--ca-file", authority] + options + paths.map(url), input: input,
      environment: ["XDG_STATE_HOME": folder.appending(path: "state").path])
  }
}
