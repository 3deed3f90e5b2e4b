import HTTP3Engine

/// The facts about a server's connections that outlive their requests: how they began, and the handlers that run for them.
struct ServerConnections {
  /// Connections whose handshake is complete, and whether it resumed a session.
  private var established: [ConnectionKey: Bool] = [:]
  /// The certificates of clients that have shown one.
  private var certificates: [ConnectionKey: ClientCertificate] = [:]
  /// Handlers that have not returned, also those whose stream is closed.
  private var running: [ConnectionKey: Int] = [:]

  /// - Parameter certificate: that of the client, DER; nil where it has shown none.
  mutating func handshakeCompleted(_ key: ConnectionKey, isResumed: Bool, certificate: [UInt8]?) {
    established[key] = isResumed
    // One that cannot be read did not get through the handshake.
    if let certificate { certificates[key] = ClientCertificate(der: certificate) }
  }

  func certificate(of key: ConnectionKey) -> ClientCertificate? { certificates[key] }

  /// Whether a connection resumed a session; nil while its handshake is not complete.
  func isResumed(_ key: ConnectionKey) -> Bool? { established[key] }

  /// Returns whether its handshake was complete. Its handlers may still run.
  mutating func closed(_ key: ConnectionKey) -> Bool {
    certificates[key] = nil
    return established.removeValue(forKey: key) != nil
  }

  func handlers(of key: ConnectionKey) -> Int { running[key, default: 0] }

  mutating func handlerStarted(_ key: ConnectionKey) { running[key, default: 0] += 1 }

  mutating func handlerReturned(_ key: ConnectionKey) {
    let left = running[key, default: 1] - 1
    running[key] = left > 0 ? left : nil
  }
}
