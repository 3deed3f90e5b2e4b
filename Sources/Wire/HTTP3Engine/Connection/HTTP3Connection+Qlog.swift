import CQUIC

// The trace looks on: nothing of it reaches the libraries, and without one nobody observes the packets.

extension HTTP3Connection {
  /// Takes what the trace recorded since the last call; nil for nothing, or without ``ConnectionConfiguration/qlog``.
  ///
  /// Take it after each write pass: what does not fit in ``QlogConfiguration/waitingLimit`` is lost.
  package func takeQlog() -> QlogOutput? {
    if case .over = phase { return qlog?.take(isLast: true) }
    return qlog?.take(isLast: false)
  }

  /// Starts the trace, if one is wanted; the last step before the library's connection is made.
  ///
  /// - Parameters:
  ///   - original: the destination connection id of the client's first packet, which both sides know.
  ///   - destination: the peer's connection id, as far as it is known.
  ///   - source: our own first connection id.
  func startQlog(
    original: ngtcp2_cid, destination: ngtcp2_cid, source: ngtcp2_cid, path: NetworkPath,
    callbacks: inout ngtcp2_callbacks, settings: inout ngtcp2_settings, parameters: ngtcp2_transport_params
  ) {
    guard let wanted = configuration.qlog else { return }
    let trace = QlogTrace(wanted, original: original.bytes, isServer: isServer, at: lastTimestamp)
    qlog = trace
    callbacks.encrypt = CQUIC_observed_encrypt
    if callbacks.handshake_confirmed == nil {
      callbacks.handshake_confirmed = { _, userData in
        connection(behind: userData)?.qlog?.enter(.handshakeConfirmed)
        return 0
      }
    }
    CQUIC_settings_observe_log(&settings) { userData, line, count in
      guard let line, let connection = connection(behind: userData), let trace = connection.qlog else { return }
      let text = String(decoding: UnsafeRawBufferPointer(start: line, count: count), as: UTF8.self)
      trace.library(text[...], tellsCongestion: connection.configuration.congestionControl != .reno)
    }
    tracedPath = path
    trace.connectionStarted(
      path, source: isServer ? destination.bytes : source.bytes,
      destination: isServer ? source.bytes : destination.bytes)
    Self.record(parameters, owner: "local", in: trace)
    let initialRoundTrip = settings.initial_rtt
    // What RFC 9002 recommends in § 6.1 and § 7.6.1, which is what the library does.
    trace.record("recovery:parameters_set") {
      $0.number("reordering_threshold", 3)
      $0.name("time_threshold")
      $0.milliseconds(nanoseconds: 1_125_000)
      $0.number("timer_granularity", 1)
      $0.milliseconds("initial_rtt", nanoseconds: initialRoundTrip)
      $0.number("persistent_congestion_threshold", 3)
    }
  }

  /// Runs a library call that may seal or open packets, and looks at what has changed by it.
  func observing<Result>(_ body: () -> Result) -> Result {
    guard qlog != nil || mapping.raw != nil else { return body() }
    CQUIC_observe_packets(observePacket, Unmanaged.passUnretained(self).toOpaque())
    defer {
      CQUIC_observe_packets(nil, nil)
      if let qlog { updateQlog(qlog) }
    }
    return body()
  }

  /// HTTP/3's bytes that went into a packet, of which the first `count` were taken.
  func didSend(_ vectors: UnsafeMutableBufferPointer<nghttp3_vec>, count: Int, on id: Int64) {
    guard let qlog, count > 0 else { return }
    var left = count
    for vector in vectors where left > 0 {
      let taken = min(left, vector.len)
      qlog.streamDataSent(UnsafeRawBufferPointer(start: vector.base, count: taken), on: StreamID(id))
      left -= taken
    }
  }

  // MARK: Parts

  private func updateQlog(_ trace: QlogTrace) {
    guard let quic else { return }
    if !trace.state.hasRemoteParameters, isServer || handshake != nil,
      let parameters = ngtcp2_conn_get_remote_transport_params(quic)
    {
      trace.state.hasRemoteParameters = true
      trace.packets.remoteDelayExponent = parameters.pointee.ack_delay_exponent
      Self.record(parameters.pointee, owner: "remote", in: trace)
    }
    var info = ngtcp2_conn_info()
    CQUIC_conn_get_conn_info(quic, &info)
    let hasSample = info.min_rtt != .max && info.min_rtt != 0
    trace.update(
      QlogTrace.Metrics(
        minimumRoundTrip: hasSample ? info.min_rtt : nil, smoothedRoundTrip: hasSample ? info.smoothed_rtt : nil,
        latestRoundTrip: hasSample ? info.latest_rtt : nil, roundTripVariance: hasSample ? info.rttvar : nil,
        congestionWindow: info.cwnd, bytesInFlight: info.bytes_in_flight,
        slowStartThreshold: info.ssthresh == .max ? nil : info.ssthresh))
    if let path = ngtcp2_conn_get_path(quic).map({ NetworkPath($0.pointee) }), let old = tracedPath, path != old {
      tracedPath = path
      trace.pathChanged(from: old, to: path)
    }
  }

  private static func record(_ parameters: ngtcp2_transport_params, owner: String, in trace: QlogTrace) {
    trace.record("transport:parameters_set") {
      $0.text("owner", owner)
      if parameters.original_dcid_present != 0 {
        $0.hex("original_destination_connection_id", parameters.original_dcid.bytes)
      }
      if parameters.initial_scid_present != 0 {
        $0.hex("initial_source_connection_id", parameters.initial_scid.bytes)
      }
      if parameters.retry_scid_present != 0 {
        $0.hex("retry_source_connection_id", parameters.retry_scid.bytes)
      }
      $0.bool("disable_active_migration", parameters.disable_active_migration != 0)
      $0.bool("grease_quic_bit", parameters.grease_quic_bit != 0)
      $0.milliseconds("max_idle_timeout", nanoseconds: parameters.max_idle_timeout)
      $0.number("max_udp_payload_size", parameters.max_udp_payload_size)
      $0.number("ack_delay_exponent", parameters.ack_delay_exponent)
      $0.milliseconds("max_ack_delay", nanoseconds: parameters.max_ack_delay)
      $0.number("active_connection_id_limit", parameters.active_connection_id_limit)
      $0.number("initial_max_data", parameters.initial_max_data)
      $0.number("initial_max_stream_data_bidi_local", parameters.initial_max_stream_data_bidi_local)
      $0.number("initial_max_stream_data_bidi_remote", parameters.initial_max_stream_data_bidi_remote)
      $0.number("initial_max_stream_data_uni", parameters.initial_max_stream_data_uni)
      $0.number("initial_max_streams_bidi", parameters.initial_max_streams_bidi)
      $0.number("initial_max_streams_uni", parameters.initial_max_streams_uni)
      $0.number("max_datagram_frame_size", parameters.max_datagram_frame_size)
    }
  }
}

/// Hands a packet to the trace and to the raw streams of the connection that the calling thread works for.
private func observePacket(
  _ context: UnsafeMutableRawPointer?, _ event: CQUIC_packet_event, _ header: UnsafePointer<UInt8>?,
  _ headerLength: Int,
  _ payload: UnsafePointer<UInt8>?, _ payloadLength: Int, _ overhead: Int
) {
  guard let context else { return }
  let connection = Unmanaged<HTTP3Connection>.fromOpaque(context).takeUnretainedValue()
  let header = UnsafeRawBufferPointer(start: header, count: headerLength)
  let payload = UnsafeRawBufferPointer(start: payload, count: payload == nil ? 0 : payloadLength)
  if event == CQUIC_PACKET_OPENED { connection.mapping.raw?.didOpen(payload) }
  guard let trace = connection.qlog else { return }
  switch event {
  case CQUIC_PACKET_SEALED: trace.packetSent(header, payload: payload, overhead: overhead)
  case CQUIC_PACKET_OPENED: trace.packetReceived(header, payload: payload, overhead: overhead)
  default: trace.packetNotOpened(header, payloadLength: payloadLength, overhead: overhead)
  }
}

extension ngtcp2_cid {
  var bytes: [UInt8] { withUnsafeBytes(of: data) { Array($0.prefix(datalen)) } }
}
