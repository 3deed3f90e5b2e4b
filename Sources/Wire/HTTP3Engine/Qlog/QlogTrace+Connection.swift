extension QlogTrace {
  /// The facts of the connection that were recorded so far.
  struct ConnectionState {
    fileprivate var name: StateName?
    fileprivate var metrics = Metrics()
    fileprivate var congestion: String?
    /// The path that was reported last.
    fileprivate var path: NetworkPath?
    fileprivate var hasRemoteParameters = false
  }

  /// The steps of a connection's life, in their order.
  enum StateName: Int {
    case attempted
    case handshakeStarted
    case handshakeComplete
    case handshakeConfirmed
    case closing
    case draining
    case closed

    fileprivate var qlogName: String {
      switch self {
      case .attempted: "attempted"
      case .handshakeStarted: "handshake_started"
      case .handshakeComplete: "handshake_complete"
      case .handshakeConfirmed: "handshake_confirmed"
      case .closing: "closing"
      case .draining: "draining"
      case .closed: "closed"
      }
    }
  }

  /// Estimates of the recovery; times in nanoseconds, sizes in bytes, nil where there is none yet.
  struct Metrics: Equatable {
    var minimumRoundTrip: UInt64?
    var smoothedRoundTrip: UInt64?
    var latestRoundTrip: UInt64?
    var roundTripVariance: UInt64?
    var congestionWindow: UInt64?
    var bytesInFlight: UInt64?
    var slowStartThreshold: UInt64?
  }

  func connectionStarted(_ path: NetworkPath, source: [UInt8], destination: [UInt8]) {
    state.path = path
    let (from, to) = isServer ? (path.remote, path.local) : (path.local, path.remote)
    record("connectivity:connection_started") {
      $0.text("ip_version", path.local.isIPv4 ? "v4" : "v6")
      $0.text("src_ip", from.ipText)
      $0.text("dst_ip", to.ipText)
      $0.text("protocol", "QUIC")
      $0.number("src_port", from.port)
      $0.number("dst_port", to.port)
      $0.hex("src_cid", source)
      $0.hex("dst_cid", destination)
    }
    enter(.attempted)
  }

  /// Records our own parameters.
  func sends(_ parameters: QlogParameters) {
    record("transport:parameters_set") { parameters.write(owner: "local", into: &$0) }
  }

  /// Records the peer's, once.
  func receives(_ parameters: @autoclosure () -> QlogParameters?) {
    guard !state.hasRemoteParameters, let parameters = parameters() else { return }
    state.hasRemoteParameters = true
    packets.remoteDelayExponent = parameters.ackDelayExponent
    record("transport:parameters_set") { parameters.write(owner: "remote", into: &$0) }
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

  func didReceivePacket() {
    if state.name == .attempted { enter(.handshakeStarted) }
  }

  /// Advances to a later step; nothing leads back.
  func enter(_ name: StateName) {
    let old = state.name
    guard name.rawValue > old?.rawValue ?? -1 else { return }
    state.name = name
    record("connectivity:connection_state_updated") {
      if let old { $0.text("old", old.qlogName) }
      $0.text("new", name.qlogName)
    }
  }

  func handshakeCompleted(_ info: HandshakeInfo) {
    record("transport:version_information") {
      $0.array(isServer ? "server_versions" : "client_versions") { $0.text("1") }
      $0.text("chosen_version", String(info.version, radix: 16))
    }
    record("transport:alpn_information") {
      $0.array(isServer ? "server_alpns" : "client_alpns") { $0.text("h3") }
      $0.text("chosen_alpn", "h3")
    }
    enter(.handshakeComplete)
    // A server's is confirmed with it (RFC 9001 § 4.1.2).
    if isServer { enter(.handshakeConfirmed) }
  }

  /// The path that packets take after a library call; another one is written (RFC 9000 § 9).
  func update(_ new: NetworkPath?) {
    guard let new, let old = state.path, new != old else { return }
    state.path = new
    record("connectivity:path_updated") {
      $0.text("old_local", old.local.description)
      $0.text("old_remote", old.remote.description)
      $0.text("new_local", new.local.description)
      $0.text("new_remote", new.remote.description)
    }
  }

  /// The progress of a migration.
  enum MigrationStep: String {
    case probing = "probing_started"
    case started = "migration_started"
    case complete = "migration_complete"
    case abandoned = "migration_abandoned"
  }

  func migrationChanged(_ step: MigrationStep, _ path: NetworkPath) {
    record("connectivity:migration_state_updated") {
      $0.text("new", step.rawValue)
      $0.text("local", path.local.description)
      $0.text("remote", path.remote.description)
    }
  }

  /// The estimates after a library call; those that have changed are written.
  func update(_ new: Metrics) {
    let old = state.metrics
    guard new != old else { return }
    state.metrics = new
    record("recovery:metrics_updated") {
      func time(_ name: StaticString, _ new: UInt64?, _ old: UInt64?, _ writer: inout QlogWriter) {
        if let new, new != old { writer.milliseconds(name, nanoseconds: new) }
      }
      func size(_ name: StaticString, _ new: UInt64?, _ old: UInt64?, _ writer: inout QlogWriter) {
        if let new, new != old { writer.number(name, new) }
      }
      time("min_rtt", new.minimumRoundTrip, old.minimumRoundTrip, &$0)
      time("smoothed_rtt", new.smoothedRoundTrip, old.smoothedRoundTrip, &$0)
      time("latest_rtt", new.latestRoundTrip, old.latestRoundTrip, &$0)
      time("rtt_variance", new.roundTripVariance, old.roundTripVariance, &$0)
      size("congestion_window", new.congestionWindow, old.congestionWindow, &$0)
      size("bytes_in_flight", new.bytesInFlight, old.bytesInFlight, &$0)
      size("ssthresh", new.slowStartThreshold, old.slowStartThreshold, &$0)
    }
  }

  /// A probe time-out fired for the `count`th time in a row; a count that is back at 0 is not reported.
  func probeTimeout(_ count: UInt64) {
    record("recovery:metrics_updated") { $0.number("pto_count", count) }
  }

  func congestionStateChanged(_ new: String, trigger: String? = nil) {
    let old = state.congestion
    guard new != old else { return }
    state.congestion = new
    record("recovery:congestion_state_updated") {
      if let old { $0.text("old", old) }
      $0.text("new", new)
      if let trigger { $0.text("trigger", trigger) }
    }
  }

  /// - Parameter nanoseconds: until the timer fires; nil for the event's other kinds.
  func lossTimer(_ event: String, nanoseconds: UInt64? = nil) {
    record("recovery:loss_timer_updated") {
      $0.text("event_type", event)
      if let nanoseconds { $0.milliseconds("delta", nanoseconds: nanoseconds) }
    }
  }

  func keysDiscarded(_ level: String) {
    for side in ["client", "server"] {
      record("security:key_retired") { $0.text("key_type", "\(side)_\(level)_secret") }
    }
  }

  func connectionClosed(_ error: HTTP3Error) {
    record("connectivity:connection_closed") {
      let (owner, trigger): (String?, String) =
        switch error.code {
        case .idleTimeout: (nil, "idle_timeout")
        case .handshakeTimeout: (nil, "handshake_timeout")
        case .versionNegotiationFailed: ("remote", "version_mismatch")
        case .statelessReset: ("remote", "stateless_reset")
        default: (error.side == .local ? "local" : "remote", error.isGraceful ? "clean" : "error")
        }
      if let owner { $0.text("owner", owner) }
      switch error.code {
      case .transport(let code): $0.text("connection_code", code.qlogName)
      case .tlsAlert(let alert):
        $0.text("connection_code", QUICErrorCode(rawValue: 0x100 + UInt64(alert)).qlogName)
      case .application(let code): $0.text("application_code", code.qlogName)
      case .certificateRejected, .earlyDataRetry, .idleTimeout, .handshakeTimeout, .versionNegotiationFailed,
        .statelessReset,
        .streamLimitReached, .goingAway, .requestNotProcessed, .connectionClosed, .streamClosed, .invalidMessage,
        .datagramsUnavailable, .datagramTooLarge, .datagramQueueFull, .internal:
        break
      }
      $0.text("reason", error.message)
      $0.text("trigger", trigger)
    }
  }
}

extension NetworkAddress {
  /// The address without the port and brackets.
  fileprivate var ipText: String {
    let text = description.prefix { $0 != "]" || isIPv4 }
    guard isIPv4 else { return String(text.dropFirst()) }
    return String(text[..<(text.lastIndex(of: ":") ?? text.endIndex)])
  }
}
