import Synchronization

/// The TLS credentials of the connections that are accepted from now on.
final class TLSContextInUse: Sendable {
  private let credentials: Mutex<TCPCredentials>

  init(_ credentials: TCPCredentials) {
    self.credentials = Mutex(credentials)
  }

  var current: TCPCredentials { credentials.withLock { $0 } }

  func replace(with others: TCPCredentials) {
    credentials.withLock { $0 = others }
  }
}
