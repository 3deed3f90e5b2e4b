import CQUIC

/// The peer's transport parameters (RFC 9000 § 18.2), as far as they are looked at here; valid as long as the library's
/// connection is.
struct PeerParameters {
  /// A peer that gave none is refused (RFC 9001 § 8.2): the library would write and read 1-RTT packets without.
  static let missing = HTTP3Error(
    .tlsAlert(UInt8(GNUTLS_A_MISSING_EXTENSION.rawValue)), "The peer gave no QUIC transport parameters.")

  private let parameters: UnsafePointer<ngtcp2_transport_params>

  init?(_ parameters: UnsafePointer<ngtcp2_transport_params>?) {
    guard let parameters else { return nil }
    self.parameters = parameters
  }

  /// Zero for none.
  var idleTimeout: Duration { .nanoseconds(Int64(clamping: parameters.pointee.max_idle_timeout)) }

  /// The largest DATAGRAM frame that the peer takes (RFC 9221 § 3), zero for none.
  var datagramFrameLimit: UInt64 { parameters.pointee.max_datagram_frame_size }

  /// Whether the peer has disabled active migration.
  var forbidsMigration: Bool { parameters.pointee.disable_active_migration != 0 }

  /// A server's addresses to continue at (RFC 9000 § 9.6), at most one of each family.
  var preferredAddresses: [NetworkAddress] {
    guard parameters.pointee.preferred_addr_present != 0 else { return [] }
    var v4 = CQUIC_address()
    var v6 = CQUIC_address()
    CQUIC_preferred_addresses(parameters, &v4, &v6)
    // A port of 0 stands for no address.
    return [NetworkAddress(v4), NetworkAddress(v6)].filter { $0.port != 0 }
  }

  /// All of them, for a trace.
  var recorded: QlogParameters { QlogParameters(parameters.pointee) }
}
