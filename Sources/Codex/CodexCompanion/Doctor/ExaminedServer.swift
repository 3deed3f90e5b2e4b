/// The configuration of `companion serve`, as far as a ``Doctor`` looks at it.
package struct ExaminedServer: Sendable {
  package var folder: CompanionFolder
  package var environment: [String: String]
  /// The name or path of codex.
  package var codex: String
  package var address: String
  package var port: Int
  /// The names that devices reach the machine by; the first is in the pairing code.
  package var hosts: [String]
  /// The files of a certificate that devices trust; nil for the development certificate.
  package var certificate: (chain: String, privateKey: String)?

  package init(
    folder: CompanionFolder, environment: [String: String], codex: String, address: String, port: Int, hosts: [String],
    certificate: (chain: String, privateKey: String)?
  ) {
    self.folder = folder
    self.environment = environment
    self.codex = codex
    self.address = address
    self.port = port
    self.hosts = hosts
    self.certificate = certificate
  }
}
