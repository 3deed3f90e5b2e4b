import HTTP3Engine
import NIOCore
import NIOSSL
import Synchronization

/// Asks the verifier that HTTP/3 asks too, and keeps the sentence that TLS has no way to carry.
final class CertificateVerdict: Sendable {
  private let verifier: CertificateVerifier
  private let host: String
  private let error = Mutex<HTTP3Error?>(nil)

  init(verifier: CertificateVerifier, host: String) {
    self.verifier = verifier
    self.host = host
  }

  /// The reason for which the certificate was not accepted; nil where it was.
  var rejection: TransportError? {
    error.withLock { $0 }.map { TransportError(.certificateRejected, $0.message, cause: $0) }
  }

  func verify(_ chain: [NIOSSLCertificate], _ promise: EventLoopPromise<NIOSSLVerificationResult>) {
    do throws(HTTP3Error) {
      var encoded: [[UInt8]] = []
      for certificate in chain {
        guard let bytes = try? certificate.toDERBytes() else {
          throw HTTP3Error(.certificateRejected, "The server's certificate cannot be read.")
        }
        encoded.append(bytes)
      }
      try verifier.verify(chain: encoded, host: host)
      promise.succeed(.certificateVerified)
    } catch {
      self.error.withLock { $0 = error }
      promise.succeed(.failed)
    }
  }
}
