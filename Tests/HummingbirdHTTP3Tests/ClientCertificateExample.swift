import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdHTTP3
import Logging
import StreamTransport
import TestSupport
import Testing

/// The server and the client of the page on client certificates. `Tools/check` compares them.
@Suite("Example: asking for certificates of clients")
struct ClientCertificateExample {
  @Test("knows its client over HTTP/3 and HTTP/1.1", .timeLimit(.minutes(10)))
  func knowsItsClient() async throws {
    let pem = try DevelopmentCertificate.make()
    let authority = try TestAuthority()
    let authoritiesPEM = authority.certificatePEM
    let client = try authority.issue()
    let folder = FileManager.default.temporaryDirectory.appending(path: "client-certificate-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let (authorityFile, certificateFile, keyFile) = (folder + "/ca.pem", folder + "/chain.pem", folder + "/key.pem")
    for (file, text) in [
      (authorityFile, pem.certificatePEM), (certificateFile, client.certificatePEM), (keyFile, client.privateKeyPEM),
    ] { try Data(text.utf8).write(to: URL(filePath: file)) }
    var configuration = MultiProtocolConfiguration(
      certificatePEM: pem.certificatePEM, privateKeyPEM: pem.privateKeyPEM)

    configuration.clientCertificates = ClientCertificatePolicy(.required, authoritiesPEM: authoritiesPEM)
    let router = Router()
    router.get("whoami") { request, _ in request.clientCertificate?.subject ?? "nobody" }
    let logger = Logger(label: "example") { _ in SwiftLogNoOpLogHandler() }
    let server = MultiProtocolServer(
      responder: router.buildResponder(), configuration: configuration, logger: logger)
    let origin = Origin(scheme: .https, host: "localhost", port: try await server.start())

    let tls = TLSOptions(
      trust: .certificateFile(authorityFile),
      identity: .files(certificateChain: certificateFile, privateKey: keyFile))
    let transports: [any HTTPTransport] = [
      HTTP3Transport(origin: origin, tls: tls, logger: logger, configuration: .patient),
      HTTP1Transport(origin: origin, tls: tls, logger: logger, configuration: .patient),
    ]
    for transport in transports {
      let response = try await transport.send(.test(.get, "/whoami"))
      #expect(try await response.body.collect(upTo: 100) == Array("CN=robot 7,O=Example".utf8))
      await transport.close()
    }
    await server.shutdown()
  }
}
