import Foundation
import Logging
import NIOCore
import NIOSSL
import StreamTransport

/// The certificate of the client of the TCP connection that the current task serves; nil where it has shown none.
enum TCPClientCertificate {
  @TaskLocal static var current: ClientCertificate?

  /// A TLS handler that judges a client's certificates as HTTP/3 does, and logs why one is refused: TLS's alert does
  /// not say it.
  static func handler(
    _ context: NIOSSLContext, _ check: ClientCertificateCheck?, logger: Logger
  ) -> NIOSSLServerHandler {
    guard let check else { return NIOSSLServerHandler(context: context) }
    return NIOSSLServerHandler(
      context: context,
      customVerificationCallback: { chain, promise in
        let encoded = chain.compactMap { try? $0.toDERBytes() }
        do {
          guard encoded.count == chain.count else { return promise.succeed(.failed) }
          try check.verify(encoded)
          promise.succeed(.certificateVerified)
        } catch {
          logger.debug("a client's certificate is refused: \(error)")
          promise.succeed(.failed)
        }
      })
  }

  /// The certificate on a connection whose handshake is complete; nil where none is asked for. Throws where there has
  /// to be one.
  ///
  /// The check is not asked where a session is resumed, which is so within one context: what it found then holds, apart
  /// from the certificate's dates.
  static func certificate(
    on channel: any Channel, _ check: ClientCertificateCheck?, now: Date = .now
  ) async throws -> ClientCertificate? {
    guard let check else { return nil }
    guard let leaf = try await channel.nioSSL_peerCertificate().get() else {
      guard check.demand == .requested else {
        throw MultiProtocolError(.tcp, "The client sent no certificate, and one is required.")
      }
      return nil
    }
    guard let certificate = ClientCertificate(der: try leaf.toDERBytes()), certificate.isValid(at: now) else {
      throw MultiProtocolError(.tcp, "The client's certificate is out of date since its session began.")
    }
    return certificate
  }
}
