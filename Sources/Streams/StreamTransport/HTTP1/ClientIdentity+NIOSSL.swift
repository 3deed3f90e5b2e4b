import HTTP3Engine
import NIOSSL

extension ClientIdentity {
  /// Has connections show the certificate to servers that ask. Throws ``TransportError`` as over HTTP/3.
  func show(by configuration: inout TLSConfiguration) throws(TransportError) {
    let (chain, key) = try read()
    // BoringSSL's errors do not say what is wrong with a pair.
    _ = try Self.load(certificateChain: chain, privateKey: key)
    do {
      configuration.certificateChain = try NIOSSLCertificate.fromPEMBytes(chain).map { .certificate($0) }
      configuration.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: key, format: .pem))
    } catch {
      throw TransportError(.tls, "The client's certificate cannot be used: \(error).", cause: error)
    }
  }
}
