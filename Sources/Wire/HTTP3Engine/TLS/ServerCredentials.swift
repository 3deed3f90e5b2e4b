import Synchronization

/// A server's certificate chain and private key, which may be replaced while the server runs.
package final class ServerCredentials: Sendable {
  private let loaded: Mutex<LoadedCredentials>

  /// Both in PEM form, the leaf certificate first; throws with a sentence when they cannot be read or do not match.
  package init(certificateChainPEM: [UInt8], privateKeyPEM: [UInt8]) throws(HTTP3Error) {
    loaded = Mutex(try LoadedCredentials(certificateChainPEM: certificateChainPEM, privateKeyPEM: privateKeyPEM))
  }

  /// Takes others for the handshakes that begin from now on. Throws as the initializer does, and changes nothing then.
  package func replace(certificateChainPEM: [UInt8], privateKeyPEM: [UInt8]) throws(HTTP3Error) {
    let others = try LoadedCredentials(certificateChainPEM: certificateChainPEM, privateKeyPEM: privateKeyPEM)
    loaded.withLock { $0 = others }
  }

  /// The credentials of a handshake that begins now.
  var current: LoadedCredentials { loaded.withLock { $0 } }
}
