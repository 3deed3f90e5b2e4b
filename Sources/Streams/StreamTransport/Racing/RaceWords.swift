import TransportPolicy

extension RaceSide {
  /// The racing transport's name in reasons and errors.
  var transportName: String {
    switch self {
    case .first: "HTTP/3"
    case .second: "HTTP/1.1"
    }
  }
}

extension RaceOutcome {
  /// In words, such as "HTTP/3 failed: … HTTP/1.1 connected after 23 ms".
  func description(handshake: Duration) -> String {
    let milliseconds = (handshake / Duration.milliseconds(1)).rounded()
    return description(
      first: RaceSide.first.transportName, second: RaceSide.second.transportName,
      detail: " after \(Int(exactly: milliseconds) ?? 0) ms")
  }
}

extension TransportError {
  /// No racer was connected.
  ///
  /// - Parameter errors: what the racers reported, in the order of `failures`.
  init(racing failures: [RaceFailure], _ errors: [TransportError], to origin: Origin) {
    // The certificate's answer is the one that must not be lost; otherwise TCP's words tell most.
    let leading = errors.first { $0.code == .certificateRejected } ?? errors.last
    let words = failures.map { "\($0.side.transportName): \($0.reason)" }.joined(separator: " ")
    self.init(
      leading?.code ?? .connectionLost, "No connection to \(origin.authority). \(words)", wireCode: leading?.wireCode,
      cause: leading)
  }

  /// Whether the connection is no use for another request.
  var endsConnection: Bool {
    switch code {
    case .nameNotFound, .connectionRefused, .unreachable, .connectTimeout, .certificateRejected, .tls, .connectionLost,
      .idleTimeout:
      true
    case .superseded, .notProcessed, .streamReset, .protocolViolation, .invalidRequest, .limitExceeded, .cancelled:
      false
    }
  }

  /// Whether name servers did not answer as they should.
  var isOfNameServers: Bool { cause is NameResolver.Failure }

  /// Whether this says that UDP carries nothing to the host: silence, ICMP or a packet filter, not a server's answer,
  /// nor that of name servers, nor their silence.
  var isOfPath: Bool {
    if isOfNameServers { return false }
    return switch code {
    case .connectTimeout, .unreachable, .connectionRefused: wireCode == nil
    case .nameNotFound, .certificateRejected, .tls, .connectionLost, .idleTimeout, .superseded, .notProcessed,
      .streamReset, .protocolViolation, .invalidRequest, .limitExceeded, .cancelled:
      false
    }
  }
}
