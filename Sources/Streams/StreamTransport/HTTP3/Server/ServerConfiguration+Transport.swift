import HTTP3Engine

extension ServerConfiguration {
  /// The engine's configuration of a server, without its address and what depends on that.
  ///
  /// Throws ``TransportError`` where the key log cannot be opened, and for what load balancers cannot route by.
  init(
    _ configuration: HTTP3ServerConfiguration, credentials: ServerCredentials, secrets: StartingSecrets
  ) throws(TransportError) {
    let (options, limits, clock) = (configuration.options, configuration.limits, configuration.clock)
    self.init(credentials: credentials)
    self.secrets = secrets.secrets
    if !secrets.secrets.isEmpty { secondsSince1970 = { clock.secondsSince1970 } }
    takesEarlyData = secrets.takesEarlyData
    earlyDataMemory = options.earlyDataMemory
    if case .whenBusy(let handshakes) = addressValidation {
      // Each loop has its part of them.
      addressValidation = .whenBusy(handshakes: max(handshakes / max(options.loops, 1), 1))
    }
    if options.alwaysValidatesAddresses { addressValidation = .always }
    // The endpoint's own bounds traces alone, as the share admits connections.
    maximumConnections = min(max(limits.maximumConnections, 1), 1 << 20)
    connection.maximumRequests = UInt64(clamping: limits.maximumRequestsPerConnection)
    connection.maximumFieldSectionSize = limits.maximumFieldSectionSize
    connection.idleTimeout = limits.idleTimeout
    connection.handshakeTimeout = limits.handshakeTimeout
    changesVersion = options.prefersQUICVersion2
    routing = try options.routableIDs()
    leavesNewcomers = configuration.socket != nil
    tracesOneOf = options.qlogSampling.oneOf
    connection.cipherSuites = options.cipherSuites
    connection.mapping = options.mapping
    connection.initialRoundTrip = options.initialRoundTrip ?? connection.initialRoundTrip
    connection.repeats = options.repeatedResponses.forEngine.map {
      RepeatConfiguration(
        responses: $0, isAdaptive: options.repeatsAfterLossAlone, allowsHedging: options.sendsHedges)
    }
    if let file = options.keyLogFile {
      let log = try KeyLog(path: file)
      keyLog = { log.append($0) }
    }
  }
}
