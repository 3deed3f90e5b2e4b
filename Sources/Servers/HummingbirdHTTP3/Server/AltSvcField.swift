import Synchronization

/// The value of the `alt-svc` field (RFC 7838 § 3): the same host offers HTTP/3 on this UDP port.
final class AltSvcField: Sendable {
  private let field = Mutex<String?>(nil)

  /// nil until the UDP port is bound.
  var value: String? { field.withLock { $0 } }

  func offer(port: Int, maxAge: Duration) {
    field.withLock { $0 = "h3=\":\(port)\"; ma=\(max(0, maxAge.components.seconds))" }
  }

  /// Asks clients to forget the alternative (RFC 7838 § 3.1).
  func withdraw() {
    field.withLock { $0 = "clear" }
  }
}
