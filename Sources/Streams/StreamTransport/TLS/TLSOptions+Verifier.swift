package import HTTP3Engine

extension TLSOptions {
  /// The one verifier that every transport asks, so that they give the same answer.
  ///
  /// Throws ``TransportError`` with `tls` when the authorities cannot be read.
  package func makeVerifier() throws(TransportError) -> CertificateVerifier {
    do {
      let trust: CertificateVerifier.Trust =
        switch trust {
        case .system: .system
        case .certificates(let pem): .authorities(pem: Array(pem.utf8))
        case .pinned(let sha256): .pinned(sha256: sha256)
        // Read each time, since it may have changed.
        case .certificateFile(let path): .authorities(pem: try PrivateFile.read(path, limit: 4 << 20))
        }
      return try VerifierCache.shared.verifier(trust)
    } catch let error as HTTP3Error {
      throw TransportError(.tls, error.message, cause: error)
    } catch {
      throw TransportError(.tls, "The trusted authorities cannot be read: \(error).", cause: error)
    }
  }
}
