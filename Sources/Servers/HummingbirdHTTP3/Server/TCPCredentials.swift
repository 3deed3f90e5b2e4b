import NIOCore
import NIOSSL
import StreamTransport

/// The certificates that HTTP/2 and HTTP/1.1 clients see, chosen by name as HTTP/3 chooses them, and those that they
/// have to show.
struct TCPCredentials {
  /// The context of the connections to come.
  let context: NIOSSLContext
  /// Judges clients' certificates; nil where none are asked for.
  let clients: ClientCertificateCheck?
  private let policy: ClientCertificatePolicy?

  /// Throws ``MultiProtocolError`` where one cannot be used.
  init(_ identities: [ServerIdentity], clients policy: ClientCertificatePolicy?) throws(MultiProtocolError) {
    self.policy = policy
    do throws(TransportError) {
      clients = try policy.map { policy throws(TransportError) in try ClientCertificateCheck(policy) }
    } catch {
      throw MultiProtocolError(.certificate, error.message, cause: error)
    }
    guard let preferred = identities.first else {
      throw MultiProtocolError(.certificate, "A server needs a certificate and its private key; none was given.")
    }
    var tls = try Self.configuration(preferred)
    switch policy?.demand {
    case nil: break
    case .requested: tls.certificateVerification = .optionalVerification
    case .required: tls.certificateVerification = .noHostnameVerification
    }
    // The check is asked in the place of BoringSSL.
    tls.trustRoots = .certificates([])
    if identities.count > 1 {
      var choices = [NIOSSLContextConfigurationOverride.noChanges]
      for identity in identities.dropFirst() {
        let own = try Self.configuration(identity)
        // Finds out whether the two belong together.
        _ = try Self.context(own)
        var choice = NIOSSLContextConfigurationOverride()
        choice.certificateChain = own.certificateChain
        choice.privateKey = own.privateKey
        choices.append(choice)
      }
      do {
        let choose = try identities.choiceByName()
        tls.sslContextCallback = { [choices] hello, promise in
          promise.succeed(choices[choose(hello.serverHostname)])
        }
      } catch {
        throw MultiProtocolError(mismatch: error)
      }
    }
    context = try Self.context(tls)
  }

  /// Those of a server that presents other certificates from now on.
  ///
  /// - Parameter clientAuthoritiesPEM: nil leaves them as they are.
  func replaced(
    by identities: [ServerIdentity], clientAuthoritiesPEM: String?
  ) throws(MultiProtocolError) -> TCPCredentials {
    do {
      let other = try policy.replacingAuthorities(with: clientAuthoritiesPEM)
      return try TCPCredentials(identities, clients: other ?? policy)
    } catch let error as MultiProtocolError {
      throw error
    } catch {
      throw MultiProtocolError(.certificate, "\(error)", cause: error)
    }
  }

  private static func context(_ tls: TLSConfiguration) throws(MultiProtocolError) -> NIOSSLContext {
    do {
      return try NIOSSLContext(configuration: tls)
    } catch {
      throw MultiProtocolError(mismatch: error)
    }
  }

  private static func configuration(_ identity: ServerIdentity) throws(MultiProtocolError) -> TLSConfiguration {
    do {
      let chain = try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8))
      let key = try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
      var tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      tls.applicationProtocols = TCPConnection.applicationProtocols
      // The time that a drain waits for the close_notify of a client that sends none; 5 s by default.
      tls.shutdownTimeout = .seconds(1)
      return tls
    } catch {
      throw MultiProtocolError(
        .certificate, "The certificate or its private key cannot be read as PEM: \(error).", cause: error)
    }
  }
}
