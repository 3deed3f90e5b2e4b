import Synchronization

/// A server's certificate chains and private keys, and its demand for certificates of its clients, which may be
/// replaced while the server runs.
package final class ServerCredentials: Sendable {
  private let loaded: Mutex<CredentialSet>

  /// - Parameters:
  ///   - identities: the first is presented to clients that ask for no name, or for one that none of them has.
  ///   - clients: the certificates that clients are asked for; nil for none.
  package init(_ identities: [LoadedCredentials], clients: ClientAuthentication? = nil) throws(HTTP3Error) {
    loaded = Mutex(try CredentialSet(identities, clients: clients))
  }

  /// One of each, in PEM form, the leaf certificate first; throws with a sentence when they cannot be read or do not match.
  package convenience init(certificateChainPEM: [UInt8], privateKeyPEM: [UInt8]) throws(HTTP3Error) {
    try self.init([LoadedCredentials(certificateChainPEM: certificateChainPEM, privateKeyPEM: privateKeyPEM)])
  }

  /// Takes others for the handshakes that begin from now on, all at once.
  ///
  /// - Parameter clients: what clients have to show from now on; nil for what they had to before.
  package func replace(with identities: [LoadedCredentials], clients: ClientAuthentication? = nil) throws(HTTP3Error) {
    try loaded.withLock { loaded throws(HTTP3Error) in
      loaded = try CredentialSet(identities, clients: clients ?? loaded.clients)
    }
  }

  /// The credentials of a handshake that begins now.
  var current: CredentialSet { loaded.withLock { $0 } }
}
