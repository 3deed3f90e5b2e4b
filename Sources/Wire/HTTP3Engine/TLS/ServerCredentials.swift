import Synchronization

/// A server's certificate chains and private keys, which may be replaced while the server runs.
package final class ServerCredentials: Sendable {
  private let loaded: Mutex<CredentialSet>

  /// - Parameter identities: the first is presented to clients that ask for no name, or for one that none of them has.
  package init(_ identities: [LoadedCredentials]) throws(HTTP3Error) {
    loaded = Mutex(try CredentialSet(identities))
  }

  /// One of each, in PEM form, the leaf certificate first; throws with a sentence when they cannot be read or do not match.
  package convenience init(certificateChainPEM: [UInt8], privateKeyPEM: [UInt8]) throws(HTTP3Error) {
    try self.init([LoadedCredentials(certificateChainPEM: certificateChainPEM, privateKeyPEM: privateKeyPEM)])
  }

  /// Takes others for the handshakes that begin from now on, all at once.
  package func replace(with identities: [LoadedCredentials]) throws(HTTP3Error) {
    let others = try CredentialSet(identities)
    loaded.withLock { $0 = others }
  }

  /// The credentials of a handshake that begins now.
  var current: CredentialSet { loaded.withLock { $0 } }
}
