public import Logging

/// A server's certificate and its private key as two files, read anew when they change.
///
/// ```swift
/// let files = CertificateFiles(certificate: "chain.pem", privateKey: "key.pem", logger: logger)
/// let (certificatePEM, privateKeyPEM) = try files.read()
/// // Start the server with them, then, until the task is cancelled:
/// await files.watch { try server.useCertificate($0, privateKeyPEM: $1) }
/// ```
///
/// A change is seen by the files' identity, size and times, through symbolic links, so that it does not matter whether the
/// files are rewritten, replaced by a rename, or lie behind a link that is set to another folder. A pair that cannot be used,
/// such as a new certificate whose key is not there yet, is refused with a line in the log; the pair before it stays in use,
/// and the files are tried again when they have changed further.
public actor CertificateFiles {
  private static let limit = 1 << 20
  private static let shortestInterval = Duration.milliseconds(100)

  private nonisolated let certificate: String
  private nonisolated let privateKey: String
  private let logger: Logger
  /// The files as they were when they were last used or refused.
  private var seen: [FileStamp]

  /// Names the two files and remembers what they are now; what changes from here on is a change.
  public init(certificate: String, privateKey: String, logger: Logger) {
    self.certificate = certificate
    self.privateKey = privateKey
    self.logger = logger
    seen = Self.stamps(certificate, privateKey)
  }

  /// The two files' text. Throws ``TransportError`` with `invalidRequest` where one cannot be read, or has more than 1 MiB.
  public nonisolated func read() throws(TransportError) -> (certificatePEM: String, privateKeyPEM: String) {
    do {
      return (
        String(decoding: try PrivateFile.read(certificate, limit: Self.limit), as: UTF8.self),
        String(decoding: try PrivateFile.read(privateKey, limit: Self.limit), as: UTF8.self)
      )
    } catch {
      throw TransportError(.invalidRequest, "The certificate cannot be read: \(error)", cause: error)
    }
  }

  /// Looks at the files at each interval, 100 ms at least, and gives them to `use` when they have changed, until the task is
  /// cancelled.
  ///
  /// - Parameter use: takes the certificate and the key for the handshakes to come; throws where it cannot, and changes
  ///   nothing then.
  public func watch(
    every interval: Duration = .seconds(10), by clock: TransportClock = .continuous,
    _ use: @Sendable (_ certificatePEM: String, _ privateKeyPEM: String) throws -> Void
  ) async {
    while (try? await clock.sleep(max(interval, Self.shortestInterval))) != nil { check(use) }
  }

  /// Gives the files to `use` if they have changed since they were last used or refused.
  public func check(_ use: (_ certificatePEM: String, _ privateKeyPEM: String) throws -> Void) {
    let stamps = Self.stamps(certificate, privateKey)
    guard stamps != seen else { return }
    do {
      let pair = try read()
      // While they are being written, the next look will do.
      guard Self.stamps(certificate, privateKey) == stamps else { return }
      seen = stamps
      try use(pair.certificatePEM, pair.privateKeyPEM)
      reportUse()
    } catch {
      seen = stamps
      refuse(error)
    }
  }

  /// Gives the files to `use`, whether they have changed or not.
  public func reload(_ use: (_ certificatePEM: String, _ privateKeyPEM: String) throws -> Void) {
    let stamps = Self.stamps(certificate, privateKey)
    do {
      let pair = try read()
      try use(pair.certificatePEM, pair.privateKeyPEM)
      seen = stamps
      reportUse()
    } catch {
      refuse(error)
    }
  }

  private func reportUse() {
    logger.notice("The certificate in \(certificate) was read anew and is in use.")
  }

  private func refuse(_ error: any Error) {
    logger.warning("The certificate in \(certificate) is not taken, and the one before it stays in use: \(error)")
  }

  private static func stamps(_ certificate: String, _ privateKey: String) -> [FileStamp] {
    [FileStamp(of: certificate), FileStamp(of: privateKey)]
  }
}
