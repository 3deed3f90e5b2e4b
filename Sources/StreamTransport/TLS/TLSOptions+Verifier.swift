package import HTTP3Engine

extension TLSOptions {
  /// The one verifier that every transport asks, so that they give the same answer.
  ///
  /// Throws ``TransportError`` with `tls` when the authorities cannot be read.
  package func makeVerifier() throws(TransportError) -> CertificateVerifier {
    do {
      switch trust {
      case .system: return try CertificateVerifier(.system)
      case .certificates(let pem): return try CertificateVerifier(.authorities(pem: Array(pem.utf8)))
      case .pinned(let sha256): return try CertificateVerifier(.pinned(sha256: sha256))
      case .certificateFile(let path):
        return try CertificateVerifier(.authorities(pem: try PrivateFile.read(path, limit: 4 << 20)))
      }
    } catch let error as HTTP3Error {
      throw TransportError(.tls, error.message, cause: error)
    } catch {
      throw TransportError(.tls, "The trusted authorities cannot be read: \(error).", cause: error)
    }
  }
}
