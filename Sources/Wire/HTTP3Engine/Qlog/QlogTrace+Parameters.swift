import CQUIC

extension QlogTrace {
  /// One side's transport parameters (RFC 9000 § 18.2), as a trace tells them.
  struct Parameters {
    fileprivate var originalDestination: [UInt8]?
    fileprivate var initialSource: [UInt8]?
    fileprivate var retrySource: [UInt8]?
    fileprivate var forbidsMigration: Bool
    fileprivate var greasesQUICBit: Bool
    /// In nanoseconds, as the other times.
    fileprivate var idleTimeout: UInt64
    fileprivate var maximumAckDelay: UInt64
    fileprivate var ackDelayExponent: UInt64
    fileprivate var maximumPayload: UInt64
    /// Names of the remaining numbers in the order in which they are written, each with its value.
    fileprivate var numbers: [(name: StaticString, value: UInt64)]

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
  }

  /// Records our own parameters.
  func sends(_ parameters: Parameters) { record(parameters, owner: "local") }

  /// Records the peer's, once.
  func receives(_ parameters: @autoclosure () -> Parameters?) {
    guard !state.hasRemoteParameters, let parameters = parameters() else { return }
    state.hasRemoteParameters = true
    packets.remoteDelayExponent = parameters.ackDelayExponent
    record(parameters, owner: "remote")
  }

  private func record(_ parameters: Parameters, owner: String) {
    record("transport:parameters_set") {
      $0.text("owner", owner)
      if let id = parameters.originalDestination { $0.hex("original_destination_connection_id", id) }
      if let id = parameters.initialSource { $0.hex("initial_source_connection_id", id) }
      if let id = parameters.retrySource { $0.hex("retry_source_connection_id", id) }
      $0.bool("disable_active_migration", parameters.forbidsMigration)
      $0.bool("grease_quic_bit", parameters.greasesQUICBit)
      $0.milliseconds("max_idle_timeout", nanoseconds: parameters.idleTimeout)
      $0.number("max_udp_payload_size", parameters.maximumPayload)
      $0.number("ack_delay_exponent", parameters.ackDelayExponent)
      $0.milliseconds("max_ack_delay", nanoseconds: parameters.maximumAckDelay)
      for (name, value) in parameters.numbers { $0.number(name, value) }
    }
  }

  /// Records the constants of loss recovery that RFC 9002 recommends in § 6.1 and § 7.6.1, which the library uses.
  ///
  /// - Parameter initialRoundTrip: in nanoseconds.
  func recoveryBegins(initialRoundTrip: UInt64) {
    record("recovery:parameters_set") {
      $0.number("reordering_threshold", 3)
      $0.name("time_threshold")
      $0.milliseconds(nanoseconds: 1_125_000)
      $0.number("timer_granularity", 1)
      $0.milliseconds("initial_rtt", nanoseconds: initialRoundTrip)
      $0.number("persistent_congestion_threshold", 3)
    }
  }
}
