import Glibc

/// The parameters of a connection: what a URL says, and what holds where it says nothing.
struct PostgresParameters {
  private let pairs: [(String, String)]

  /// The certificates that the system trusts, where Debian keeps them. libpq 15 knows no word for them.
  private static let certificates = "/etc/ssl/certs/ca-certificates.crt"

  /// - Parameter host: the host to connect to, of those in the URL; nil where that names none.
  init(url: String, host: PostgresHost?, limits: PostgresLimits) {
    let milliseconds = Self.milliseconds(limits.serverPatience)
    var pairs = [
      // Ignored for sockets of the file system; a URL may ask for less.
      ("sslmode", "verify-full"),
      ("application_name", "agent-stream ledger"),
      // A server that was demoted is as good as none.
      ("target_session_attrs", "read-write"),
      ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
      ("tcp_user_timeout", "20000"),
    ]
    if access(Self.certificates, R_OK) == 0 { pairs.append(("sslrootcert", Self.certificates)) }
    // The URL comes after what it may change, and before what it may not.
    pairs.append(("dbname", url))
    if let host { pairs += host.parameters }
    pairs += [
      ("client_encoding", "UTF8"),
      (
        "options",
        "-c statement_timeout=\(milliseconds) -c lock_timeout=\(Self.milliseconds(limits.lockTimeout))"
          + " -c client_min_messages=error -c idle_in_transaction_session_timeout=\(milliseconds * 2)"
          // The server's view of this machine: what died with it is not held for the two hours that are usual.
          + " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
          + " -c tcp_user_timeout=20000"
      ),
    ]
    self.pairs = pairs
  }

  private static func milliseconds(_ time: Duration) -> Int64 { max(1, Int64(time / .milliseconds(1))) }

  /// Calls `body` with the names and values as C strings, each list ended by NULL.
  func withCStrings<Value>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    let names = pairs.map { strdup($0.0) }
    let values = pairs.map { strdup($0.1) }
    defer { for string in names + values { free(string) } }
    return (names.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { names in
      (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
        // Neither is empty, so that both have an address.
        body(names.baseAddress.unsafelyUnwrapped, values.baseAddress.unsafelyUnwrapped)
      }
    }
  }
}
