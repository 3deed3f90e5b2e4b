import Foundation

/// The files that say how names are looked up. They are read again for each look-up, so a change counts at once.
package struct NameFiles: Sendable {
  private static let largestHosts = 32 << 20
  private static let largestOther = 1 << 20

  private let folder: String
  private let environment: [String: String]
  private let machine: @Sendable () -> String

  /// - Parameters:
  ///   - folder: that of `resolv.conf`, `nsswitch.conf` and `hosts`, any of which may be missing.
  ///   - machine: the machine's name.
  package init(folder: String, environment: [String: String], machine: @escaping @Sendable () -> String) {
    self.folder = folder
    self.environment = environment
    self.machine = machine
  }

  /// This machine's own.
  package static let system = NameFiles(
    folder: "/etc", environment: ProcessInfo.processInfo.environment, machine: { machineName() })

  package var order: [NameSource] { NameSource.order(nsswitch: text("nsswitch.conf")) }

  package var settings: DNSSettings {
    DNSSettings(resolvConf: text("resolv.conf"), environment: environment, machine: machine())
  }

  package var hosts: HostsFile { HostsFile(bytes("hosts", limit: Self.largestHosts)) }

  package func isMachine(_ name: HostName) -> Bool { HostName(machine())?.text == name.text }

  private func text(_ name: String) -> String {
    String(decoding: bytes(name, limit: Self.largestOther), as: UTF8.self)
  }

  private func bytes(_ name: String, limit: Int) -> [UInt8] {
    (try? PrivateFile.read("\(folder)/\(name)", limit: limit)) ?? []
  }

  private static func machineName() -> String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
