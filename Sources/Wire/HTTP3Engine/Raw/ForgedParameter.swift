import CQUIC

/// A transport parameter of a raw server's that breaks RFC 9000 § 18.2, or a promise.
package enum ForgedParameter: Sendable {
  case ackDelayExponent(UInt64)
  case maximumAckDelay(Duration)
  case maximumPayloadSize(UInt64)
  case maximumStreams(UInt64)
  case connectionWindow(UInt64)
  /// Nil leaves it out.
  case originalDestination([UInt8]?)
  case retrySource([UInt8])
  /// One is given twice (RFC 9000 § 7.4).
  case repetition
  /// All are left out (RFC 9001 § 8.2).
  case omission

  /// The parameters that GnuTLS writes in place of the library's.
  enum InTLS {
    case repetition
    case omission
  }

  var inTLS: InTLS? {
    switch self {
    case .repetition: .repetition
    case .omission: .omission
    case .ackDelayExponent, .maximumAckDelay, .maximumPayloadSize, .maximumStreams, .connectionWindow,
      .originalDestination, .retrySource:
      nil
    }
  }

  /// Takes effect until the first packet of the handshake is written.
  func apply(to quic: OpaquePointer?, _ parameters: ngtcp2_transport_params) {
    var parameters = parameters
    switch self {
    case .ackDelayExponent(let value): parameters.ack_delay_exponent = value
    case .maximumAckDelay(let value): parameters.max_ack_delay = UInt64(max(value.nanosecondsClamped, 0))
    case .maximumPayloadSize(let value): parameters.max_udp_payload_size = value
    case .maximumStreams(let value):
      parameters.initial_max_streams_bidi = value
      parameters.initial_max_streams_uni = value
    case .connectionWindow(let value): parameters.initial_max_data = value
    case .originalDestination(let id):
      parameters.original_dcid_present = id == nil ? 0 : 1
      if let id { ngtcp2_cid_init(&parameters.original_dcid, id, min(id.count, Int(NGTCP2_MAX_CIDLEN))) }
    case .retrySource(let id):
      parameters.retry_scid_present = 1
      ngtcp2_cid_init(&parameters.retry_scid, id, min(id.count, Int(NGTCP2_MAX_CIDLEN)))
    // The TLS session writes it.
    case .repetition, .omission: return
    }
    _ = CQUIC_conn_set_local_transport_params(quic, &parameters)
  }
}
