import NIOSSL
import Synchronization

/// The TLS context of the connections that are accepted from now on.
final class TLSContextInUse: Sendable {
  private let context: Mutex<NIOSSLContext>

  /// Throws `NIOSSLError` when the certificate and the key do not belong together.
  init(_ tls: TLSConfiguration) throws {
    context = Mutex(try Self.context(tls))
  }

  var current: NIOSSLContext { context.withLock { $0 } }

  func replace(with other: NIOSSLContext) {
    context.withLock { $0 = other }
  }

  static func context(_ tls: TLSConfiguration) throws -> NIOSSLContext {
    var tls = tls
    tls.applicationProtocols = TCPConnection.applicationProtocols
    return try NIOSSLContext(configuration: tls)
  }
}
