import HTTP3Engine
import Synchronization

/// Verifiers that connections share: the authorities of a system take 7 ms of processor time and 3.6 MiB to read
/// (GnuTLS 3.7.9, 139 certificates), for each connection that has its own.
final class VerifierCache: Sendable {
  private struct Entry {
    var verifier: CertificateVerifier
    var madeAt: Duration
  }

  /// The process's own. After an hour the system's authorities are read again, as they may have changed.
  static let shared = VerifierCache(lifetime: .seconds(3_600))
  /// A process has one kind of trust or two; more are given up together.
  private static let capacity = 8

  private let lifetime: Duration
  private let clock: TransportClock
  private let entries = Mutex<[CertificateVerifier.Trust: Entry]>([:])

  init(lifetime: Duration, clock: TransportClock = .continuous) {
    self.lifetime = lifetime
    self.clock = clock
  }

  /// One that was made lately, or else a new one. Throws what making one throws; that is tried again the next time.
  func verifier(_ trust: CertificateVerifier.Trust) throws(HTTP3Error) -> CertificateVerifier {
    let now = clock.now()
    return try entries.withLock { entries throws(HTTP3Error) in
      if let entry = entries[trust], now - entry.madeAt < lifetime { return entry.verifier }
      let verifier = try CertificateVerifier(trust)
      if entries.count >= Self.capacity { entries = [:] }
      entries[trust] = Entry(verifier: verifier, madeAt: now)
      return verifier
    }
  }
}
