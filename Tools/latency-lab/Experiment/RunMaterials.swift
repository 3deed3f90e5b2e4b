import Foundation
import LinkEmulator
import StreamTransport

/// The files that all runs of an experiment share: certificate, key, plan.
struct RunMaterials: Sendable {
  static let port: UInt16 = 4_433
  static let originPort: UInt16 = 8_080

  /// A folder that only its owner can read.
  let folder: URL
  let certificateFile: String
  let keyFile: String
  /// A plan whose download fills the link, for scenarios with cross traffic.
  let crossTrafficPlanFile: String

  /// Makes the files in a new temporary folder.
  init(plans: [UInt64: ClientPlan]) throws {
    let temporary = FileManager.default.temporaryDirectory
    Self.removeStale(in: temporary)
    folder = temporary.appendingPathComponent("\(Self.prefix)\(getpid())-\(UUID().uuidString)")
    certificateFile = folder.appendingPathComponent("certificate.pem").path
    keyFile = folder.appendingPathComponent("key.pem").path
    crossTrafficPlanFile = folder.appendingPathComponent("cross-traffic.json").path
    let manager = FileManager.default
    try manager.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    do {
      try writeFiles(plans)
    } catch {
      remove()
      throw error
    }
  }

  /// The plan of a seed's runs.
  func planFile(seed: UInt64) -> String { folder.appendingPathComponent("plan-\(seed).json").path }

  private func writeFiles(_ plans: [UInt64: ClientPlan]) throws {
    let certificate = try DevelopmentCertificate.make(
      hosts: ["server", "localhost", LinkSide.server.address, LinkSide.server.addressIPv6, "127.0.0.1"])
    try Data(certificate.certificatePEM.utf8).write(to: URL(fileURLWithPath: certificateFile))
    // The folder's mode guards it.
    try Data(certificate.privateKeyPEM.utf8).write(to: URL(fileURLWithPath: keyFile))
    for (seed, plan) in plans {
      var plan = plan
      plan.authorityFile = certificateFile
      try plan.write(to: planFile(seed: seed))
      plan.downloadBytes = 1_000_000_000
      try plan.write(to: crossTrafficPlanFile)
    }
  }

  private static let prefix = "latency-lab-"

  /// Removes folders that killed processes left behind; their names contain the process id.
  static func removeStale(in temporary: URL) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let parts = name.dropFirst(prefix.count).split(separator: "-", maxSplits: 1)
      let path = temporary.appendingPathComponent(name).path
      guard parts.count == 2, let number = Int32(parts[0]), UUID(uuidString: String(parts[1])) != nil,
        isOurs(path), kill(number, 0) != 0, errno == ESRCH
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// A folder that this user made for itself alone, and no link.
  private static func isOurs(_ path: String) -> Bool {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return false }
    return attributes[.type] as? FileAttributeType == .typeDirectory
      && (attributes[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid()
      && (attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700
  }

  func remove() {
    // A file left behind in the temporary folder does no harm.
    try? FileManager.default.removeItem(at: folder)
  }

  static var origin: String { "https://\(LinkSide.server.address):\(port)" }
}
