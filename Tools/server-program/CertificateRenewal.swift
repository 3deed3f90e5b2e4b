import ServiceLifecycle
package import StreamTransport

/// A running server's certificates, read again when their files change or on a signal.
package struct CertificateRenewal: Sendable {
  private let files: CertificateFiles
  private let use: @Sendable ([ServerIdentity]) throws -> Void

  /// - Parameters:
  ///   - files: nil where the server makes its certificate itself; there is nothing to renew then.
  ///   - use: gives the server the certificates and their keys; throws where it cannot use them.
  package init?(_ files: CertificateFiles?, _ use: @escaping @Sendable ([ServerIdentity]) throws -> Void) {
    guard let files else { return nil }
    self.files = files
    self.use = use
  }

  /// Reads the files, changed or not.
  func reload() async { await files.reload(use) }

  /// Looks at the files every ten seconds until the server shuts down.
  func watch() async {
    try? await cancelWhenGracefulShutdown { await files.watch(use) }
  }
}
