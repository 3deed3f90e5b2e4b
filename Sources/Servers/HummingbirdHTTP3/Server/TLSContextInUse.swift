import NIOSSL
import Synchronization

/// The TLS context of the connections that are accepted from now on.
final class TLSContextInUse: Sendable {
  private let context: Mutex<NIOSSLContext>

  init(_ context: NIOSSLContext) {
    self.context = Mutex(context)
  }

  var current: NIOSSLContext { context.withLock { $0 } }

  func replace(with other: NIOSSLContext) {
    context.withLock { $0 = other }
  }
}
