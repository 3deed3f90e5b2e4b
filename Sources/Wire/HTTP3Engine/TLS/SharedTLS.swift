import CQUIC
import Synchronization

/// The state that the TLS sessions of a process share. GnuTLS only reads it once it is made; of its own, each would
/// take 15 KiB for it.
enum SharedTLS {
  /// Sendable by hand: nothing changes what the handles stand for, and they last as long as the process.
  private struct Priority: @unchecked Sendable {
    let handle: gnutls_priority_t?
  }

  private struct Credentials: @unchecked Sendable {
    let handle: gnutls_certificate_credentials_t?
  }

  private static let priorities = Mutex<[String: Priority]>([:])

  /// A client asks a verifier of ours, so that all that have no certificate to show have the same.
  private static let clientCredentials: Result<Credentials, HTTP3Error> = {
    var handle: gnutls_certificate_credentials_t?
    do throws(HTTP3Error) {
      try GnuTLS.check(gnutls_certificate_allocate_credentials(&handle), "Making credentials")
    } catch {
      return .failure(error)
    }
    return .success(Credentials(handle: handle))
  }()

  static func useClientCredentials(on session: gnutls_session_t?) throws(HTTP3Error) {
    try GnuTLS.use(try clientCredentials.get().handle, on: session)
  }

  /// Sets the versions, ciphers and groups that a session offers or takes.
  static func setPriority(
    _ suites: [CipherSuite], _ groups: [KeyExchangeGroup], on session: gnutls_session_t?
  ) throws(HTTP3Error) {
    let text = GnuTLS.priority(suites, groups)
    let priority = try priorities.withLock { made throws(HTTP3Error) in
      if let priority = made[text] { return priority }
      var handle: gnutls_priority_t?
      try GnuTLS.check(gnutls_priority_init(&handle, text, nil), "Reading the TLS priorities")
      let priority = Priority(handle: handle)
      made[text] = priority
      return priority
    }
    try GnuTLS.check(gnutls_priority_set(session, priority.handle), "Setting the TLS priorities")
  }
}
