import Foundation
import LinkEmulator
import StreamTransport

/// The files that all runs of an experiment share: certificate, key, plan.
struct RunMaterials: Sendable {
  static let port: UInt16 = 4_433
  static let originPort: UInt16 = 8_080

  /// A folder of our own that nobody else can read.
  let folder: URL
  let certificateFile: String
  let keyFile: String
  let planFile: String
  /// A plan whose download fills the link, for scenarios with cross traffic.
  let crossTrafficPlanFile: String

  /// Makes the files in a new temporary folder.
  init(plan: ClientPlan) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("latency-lab-\(UUID().uuidString)")
    certificateFile = folder.appendingPathComponent("certificate.pem").path
    keyFile = folder.appendingPathComponent("key.pem").path
    planFile = folder.appendingPathComponent("plan.json").path
    crossTrafficPlanFile = folder.appendingPathComponent("cross-traffic.json").path
    let manager = FileManager.default
    try manager.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let certificate = try DevelopmentCertificate.make(
      hosts: ["server", "localhost", LinkSide.server.address, LinkSide.server.addressIPv6, "127.0.0.1"])
    try Data(certificate.certificatePEM.utf8).write(to: URL(fileURLWithPath: certificateFile))
    // Caddy and others drop their rights before they read it, so the folder's mode is what guards it.
    try Data(certificate.privateKeyPEM.utf8).write(to: URL(fileURLWithPath: keyFile))
    var plan = plan
    plan.authorityFile = certificateFile
    try plan.write(to: planFile)
    plan.downloadBytes = 1_000_000_000
    try plan.write(to: crossTrafficPlanFile)
  }

  func remove() {
    // What is left behind in the temporary folder harms nobody.
    try? FileManager.default.removeItem(at: folder)
  }

  static var origin: String { "https://\(LinkSide.server.address):\(port)" }
}
