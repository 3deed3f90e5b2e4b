import HTTP3Engine

/// A certificate chain and its private key, by which a client proves who it is to a server that asks (mutual TLS).
/// Other servers never see it.
public enum ClientIdentity: Hashable, Sendable {
  /// Both in PEM form, the chain leaf first, the key as PKCS #8.
  case pem(certificateChain: String, privateKey: String)
  /// The paths of files with the same, which are read for each connection, so that a renewed certificate is used from
  /// the next one on.
  case files(certificateChain: String, privateKey: String)

  private static let limit = 1 << 20

  /// What tells whether the files have changed; nothing where there are none.
  var stamps: [FileStamp] {
    switch self {
    case .pem: []
    case .files(let chain, let key): [FileStamp(of: chain), FileStamp(of: key)]
    }
  }

  /// The two in PEM form. Throws ``TransportError`` with `tls` where a file cannot be read.
  func read() throws(TransportError) -> (certificateChain: [UInt8], privateKey: [UInt8]) {
    switch self {
    case .pem(let chain, let key): return (Array(chain.utf8), Array(key.utf8))
    case .files(let chain, let key):
      do throws(PrivateFile.Failure) {
        return (try PrivateFile.read(chain, limit: Self.limit), try PrivateFile.read(key, limit: Self.limit))
      } catch {
        throw TransportError(.tls, "The client's certificate cannot be read: \(error)", cause: error)
      }
    }
  }

  /// The identity as the engine has it. Throws ``TransportError`` with `tls` and a sentence for what cannot be used,
  /// such as another certificate's key.
  func load() throws(TransportError) -> LoadedCredentials {
    let (chain, key) = try read()
    return try Self.load(certificateChain: chain, privateKey: key)
  }

  static func load(
    certificateChain chain: [UInt8], privateKey key: [UInt8]
  ) throws(TransportError) -> LoadedCredentials {
    do {
      return try LoadedCredentials(certificateChainPEM: chain, privateKeyPEM: key)
    } catch {
      throw TransportError(.tls, "The client's certificate cannot be used. \(error.message)", cause: error)
    }
  }
}
