import Foundation
package import Logging
package import StreamTransport

/// The name that a server knows this device by, kept between runs: one for each server.
package struct DeviceIdentity {
  private let folder: StateFolder
  private let logger: Logger

  package init(folder: StateFolder, logger: Logger) {
    self.folder = folder
    self.logger = logger
  }

  /// The provider's answer, else what is kept for the base URL, else a new one.
  ///
  /// A runtime that takes no session up again gets a name of its own: two of them on one machine would renew each
  /// other's sessions.
  package func resolve(_ configuration: ResolveKitConfiguration) -> String {
    if let given = Self.normalized(configuration.deviceIDProvider()) { return given }
    let new = configuration.random.uuid()
    guard configuration.reusesActiveSession else { return new }
    do {
      return try kept(for: configuration.baseURL, orKeep: new)
    } catch {
      logger.warning("the device's name can't be kept for the next run: \(error)")
      return new
    }
  }

  private func kept(for baseURL: URL, orKeep new: String) throws -> String {
    let directory = try folder.make() + "/devices"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let path = directory + "/" + Self.fileName(baseURL)
    if let known = Self.read(path) { return known }
    // Linked into its place whole: of two first runs at once, both have the name of the one that was faster.
    let draft = "\(path).\(new)"
    defer { try? FileManager.default.removeItem(atPath: draft) }
    try Data("\(new)\n".utf8).write(to: URL(filePath: draft))
    do {
      try FileManager.default.linkItem(atPath: draft, toPath: path)
      return new
    } catch {
      guard let known = Self.read(path) else { throw error }
      return known
    }
  }

  private static func read(_ path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path), data.count <= 1024 else { return nil }
    return normalized(String(decoding: data, as: UTF8.self))
  }

  /// Host, port and path, with all but letters, digits, dots and hyphens escaped, so that no URL names another folder.
  private static func fileName(_ url: URL) -> String {
    let name = "\(url.host() ?? "localhost"):\(url.port.map(String.init) ?? "")\(url.path())"
    let bytes = name.utf8.prefix(200).map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
        String(decoding: [byte], as: UTF8.self)
      default: "_" + String(byte, radix: 16)
      }
    }
    return "device-" + bytes.joined()
  }

  private static func normalized(_ text: String?) -> String? {
    let trimmed = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    return trimmed.isEmpty ? nil : trimmed
  }
}
