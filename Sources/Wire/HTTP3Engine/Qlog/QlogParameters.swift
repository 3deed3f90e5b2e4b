import CQUIC

/// One side's transport parameters (RFC 9000 § 18.2), as a trace shows them.
struct QlogParameters {
  private let originalDestination: [UInt8]?
  private let initialSource: [UInt8]?
  private let retrySource: [UInt8]?
  private let forbidsMigration: Bool
  private let greasesQUICBit: Bool
  /// The idle time-out in nanoseconds, as the other times.
  private let idleTimeout: UInt64
  private let maximumAckDelay: UInt64
  let ackDelayExponent: UInt64
  private let maximumPayload: UInt64
  /// Names of the remaining numbers in the order in which they are written, each with its value.
  private let numbers: [(name: StaticString, value: UInt64)]

  init(_ parameters: ngtcp2_transport_params) {
    func id(_ id: ngtcp2_cid, _ isPresent: UInt8) -> [UInt8]? { isPresent != 0 ? id.bytes : nil }
    originalDestination = id(parameters.original_dcid, parameters.original_dcid_present)
    initialSource = id(parameters.initial_scid, parameters.initial_scid_present)
    retrySource = id(parameters.retry_scid, parameters.retry_scid_present)
    forbidsMigration = parameters.disable_active_migration != 0
    greasesQUICBit = parameters.grease_quic_bit != 0
    idleTimeout = parameters.max_idle_timeout
    maximumAckDelay = parameters.max_ack_delay
    ackDelayExponent = parameters.ack_delay_exponent
    maximumPayload = parameters.max_udp_payload_size
    numbers = [
      ("active_connection_id_limit", parameters.active_connection_id_limit),
      ("initial_max_data", parameters.initial_max_data),
      ("initial_max_stream_data_bidi_local", parameters.initial_max_stream_data_bidi_local),
      ("initial_max_stream_data_bidi_remote", parameters.initial_max_stream_data_bidi_remote),
      ("initial_max_stream_data_uni", parameters.initial_max_stream_data_uni),
      ("initial_max_streams_bidi", parameters.initial_max_streams_bidi),
      ("initial_max_streams_uni", parameters.initial_max_streams_uni),
      ("max_datagram_frame_size", parameters.max_datagram_frame_size),
    ]
  }

  /// - Parameter owner: whose they are, "local" or "remote".
  func write(owner: String, into writer: inout QlogWriter) {
    writer.text("owner", owner)
    if let id = originalDestination { writer.hex("original_destination_connection_id", id) }
    if let id = initialSource { writer.hex("initial_source_connection_id", id) }
    if let id = retrySource { writer.hex("retry_source_connection_id", id) }
    writer.bool("disable_active_migration", forbidsMigration)
    writer.bool("grease_quic_bit", greasesQUICBit)
    writer.milliseconds("max_idle_timeout", nanoseconds: idleTimeout)
    writer.number("max_udp_payload_size", maximumPayload)
    writer.number("ack_delay_exponent", ackDelayExponent)
    writer.milliseconds("max_ack_delay", nanoseconds: maximumAckDelay)
    for (name, value) in numbers { writer.number(name, value) }
  }
}
