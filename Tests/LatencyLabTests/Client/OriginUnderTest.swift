import Foundation
import Hummingbird
import HummingbirdHTTP3
import Logging
import StreamTransport
import Synchronization

@testable import latency_lab

/// An origin on loopback and what its clients need, in a folder of its own.
struct OriginUnderTest {
  let plan: ClientPlan
  private let folder: URL
  private let server: MultiProtocolServer<CuttingResponder<RouterResponder<BasicRequestContext>>>

  /// - Parameters:
  ///   - plan: the origin's address and the authority are filled in.
  ///   - address: `127.0.0.1` or `::1`.
  ///   - cutAfter: the first response of stream 0 breaks after this many writes.
  init(_ plan: ClientPlan, address: String = "127.0.0.1", cutAfter: Int? = nil) async throws {
    let certificate = try DevelopmentCertificate.make(hosts: ["server", "127.0.0.1", "::1", "198.18.1.100"])
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("latency-lab-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let authority = folder.appendingPathComponent("authority.pem")
    try Data(certificate.certificatePEM.utf8).write(to: authority)
    let routes = OriginRoutes(plan: plan, timer: try PreciseTimer())
    server = MultiProtocolServer(
      responder: CuttingResponder(inner: routes.makeRouter().buildResponder(), cutAfter: cutAfter),
      configuration: MultiProtocolConfiguration(
        address: address, certificatePEM: certificate.certificatePEM, privateKeyPEM: certificate.privateKeyPEM,
        drainTimeout: .milliseconds(200)), logger: Self.silent)
    let port = try await server.start()
    var plan = plan
    plan.origin = "https://\(address.contains(":") ? "[\(address)]" : address):\(port)"
    plan.authorityFile = authority.path
    self.plan = plan
  }

  static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  func stop(keepingFiles: Bool = false) async {
    await server.shutdown()
    if !keepingFiles { try? FileManager.default.removeItem(at: folder) }
  }
}
