import Glibc
public import Logging

/// A server's certificates and their private keys as files, two for each, and the authorities of its clients'
/// certificates in another one, read anew when one of them changes.
///
/// ```swift
/// let files = CertificateFiles(certificate: "chain.pem", privateKey: "key.pem", logger: logger)
/// let identities = try files.read()
/// // Start the server with them, then, until the task is cancelled:
/// await files.watch { try server.use($0) }
/// ```
///
/// A change is seen by the files' identity, size and times, through symbolic links, so that it does not matter whether the
/// files are rewritten, replaced by a rename, or lie behind a link that is set to another folder. What cannot be used, such
/// as a new certificate whose key is not there yet, is refused as a whole with a line in the log; all pairs before it stay in
/// use, and the files are tried again when they have changed further.
///
/// A server that asks its clients for certificates takes their authorities along:
///
/// ```swift
/// await files.watch { try server.use($0, clientAuthoritiesPEM: files.readClientAuthorities()) }
/// ```
///
/// An OCSP response in DER form lies beside its certificate, with `.ocsp` behind the certificate's name (`chain.pem.ocsp`).
/// It need not be there, and one that cannot be read keeps no certificate out.
public actor CertificateFiles {
  private static let limit = 1 << 20
  /// A response has a few kilobytes, and each handshake carries it.
  private static let ocspLimit = 16 << 10
  private static let shortestInterval = Duration.milliseconds(100)

  /// A certificate's two files.
  public struct Pair: Hashable, Sendable {
    /// The path of the certificate chain in PEM form, leaf first.
    public var certificate: String
    /// The path of its private key in PEM form (PKCS #8).
    public var privateKey: String

    /// Names the two files.
    public init(certificate: String, privateKey: String) {
      self.certificate = certificate
      self.privateKey = privateKey
    }

    fileprivate var ocspResponse: String { certificate + ".ocsp" }
    fileprivate var stamps: [FileStamp] { [certificate, privateKey, ocspResponse].map { FileStamp(of: $0) } }
  }

  private nonisolated let pairs: [Pair]
  private nonisolated let clientAuthorities: String?
  private nonisolated let logger: Logger
  /// The files as they were when they were last used or refused.
  private var seen: [FileStamp]

  /// Names the files and remembers what they are now; what changes from here on is a change.
  ///
  /// - Parameter clientAuthorities: the file of ``ClientCertificatePolicy/authoritiesPEM``; nil for none.
  public init(certificate: String, privateKey: String, clientAuthorities: String? = nil, logger: Logger) {
    self.init(
      [Pair(certificate: certificate, privateKey: privateKey)], clientAuthorities: clientAuthorities, logger: logger)
  }

  /// Names the files of several certificates. The first is presented to clients that ask for no name, or for one that none of
  /// them has.
  public init(_ pairs: [Pair], clientAuthorities: String? = nil, logger: Logger) {
    self.pairs = pairs
    self.clientAuthorities = clientAuthorities
    self.logger = logger
    seen = pairs.flatMap(\.stamps) + Self.stamps(clientAuthorities)
  }

  /// What is in the files. Throws ``TransportError`` with `invalidRequest` where one cannot be read, or has more than 1 MiB.
  public nonisolated func read() throws(TransportError) -> [ServerIdentity] {
    var identities: [ServerIdentity] = []
    for pair in pairs {
      do throws(PrivateFile.Failure) {
        identities.append(
          ServerIdentity(
            certificatePEM: String(decoding: try PrivateFile.read(pair.certificate, limit: Self.limit), as: UTF8.self),
            privateKeyPEM: String(decoding: try PrivateFile.read(pair.privateKey, limit: Self.limit), as: UTF8.self),
            ocspResponse: readResponse(pair.ocspResponse)))
      } catch {
        throw TransportError(.invalidRequest, "The certificate cannot be read: \(error)", cause: error)
      }
    }
    return identities
  }

  /// The authorities of clients' certificates, in PEM form; nil where no file was named. Throws ``TransportError`` as
  /// ``read()`` does.
  public nonisolated func readClientAuthorities() throws(TransportError) -> String? {
    guard let clientAuthorities else { return nil }
    do throws(PrivateFile.Failure) {
      return String(decoding: try PrivateFile.read(clientAuthorities, limit: Self.limit), as: UTF8.self)
    } catch {
      throw TransportError(.invalidRequest, "The authorities of clients cannot be read: \(error)", cause: error)
    }
  }

  /// Nil where there is none.
  private nonisolated func readResponse(_ path: String) -> [UInt8]? {
    do throws(PrivateFile.Failure) {
      return try PrivateFile.read(path, limit: Self.ocspLimit)
    } catch {
      if error.number != ENOENT { logger.warning("The OCSP response is not stapled: \(error)") }
      return nil
    }
  }

  /// Looks at the files at each interval, 100 ms at least, and gives them to `use` when they have changed, until the task is
  /// cancelled.
  ///
  /// - Parameter use: takes the certificates and keys for the handshakes to come; throws where it cannot, and changes nothing then.
  public func watch(
    every interval: Duration = .seconds(10), by clock: TransportClock = .continuous,
    _ use: @Sendable (_ identities: [ServerIdentity]) throws -> Void
  ) async {
    while (try? await clock.sleep(max(interval, Self.shortestInterval))) != nil { check(use) }
  }

  /// Gives the files to `use` if they have changed since they were last used or refused.
  public func check(_ use: (_ identities: [ServerIdentity]) throws -> Void) {
    let stamps = self.stamps()
    guard stamps != seen else { return }
    do {
      let identities = try read()
      // While they are being written, the next look will do.
      guard self.stamps() == stamps else { return }
      seen = stamps
      try use(identities)
      reportUse()
    } catch {
      seen = stamps
      refuse(error)
    }
  }

  /// Gives the files to `use`, whether they have changed or not.
  public func reload(_ use: (_ identities: [ServerIdentity]) throws -> Void) {
    let stamps = self.stamps()
    do {
      try use(try read())
      seen = stamps
      reportUse()
    } catch {
      refuse(error)
    }
  }

  private func reportUse() {
    logger.notice("The certificate in \(names) was read anew and is in use.")
  }

  private func refuse(_ error: any Error) {
    logger.warning("The certificate in \(names) is not taken, and the one before it stays in use: \(error)")
  }

  private var names: String { pairs.map(\.certificate).joined(separator: ", ") }

  private func stamps() -> [FileStamp] { pairs.flatMap(\.stamps) + Self.stamps(clientAuthorities) }

  private static func stamps(_ path: String?) -> [FileStamp] { path.map { [FileStamp(of: $0)] } ?? [] }
}
