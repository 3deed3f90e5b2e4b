import ServiceLifecycle
package import StreamTransport

/// A running server's certificates, read again when their files change or on a signal.
package struct CertificateRenewal: Sendable {
  private let files: CertificateFiles
  private let use: @Sendable ([ServerIdentity]) throws -> Void

  /// What takes the certificates and their keys, and the authorities of clients where there are some.
  package typealias Use = @Sendable (_ identities: [ServerIdentity], _ clientAuthoritiesPEM: String?) throws -> Void

  /// - Parameters:
  ///   - files: nil where the server makes its certificate itself; there is nothing to renew then.
  ///   - use: gives them to the server; throws where it cannot use them.
  package init?(_ files: CertificateFiles?, _ use: @escaping Use) {
    guard let files else { return nil }
    self.files = files
    self.use = { try use($0, try files.readClientAuthorities()) }
  }

  /// Reads the files, changed or not.
  func reload() async { await files.reload(use) }

  /// Looks at the files every ten seconds until the server shuts down.
  func watch() async {
    try? await cancelWhenGracefulShutdown { await files.watch(use) }
  }
}
