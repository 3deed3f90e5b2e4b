package import HTTP3Engine

/// A peer that writes what it likes to a client or a server with which it has shaken hands.
package final class RawAttack {
  package let pair: QUICPair
  /// The target: a server or, with two requests open, a client.
  package let server: EchoServer?
  package let client: RequestClient?
  private var key: ConnectionKey?
  private var carrier: StreamID?

  /// - Parameter pair: its attacker's configuration says `isRaw`.
  package init(on pair: QUICPair, attacksServer: Bool) throws {
    self.pair = pair
    server = attacksServer ? EchoServer(on: pair) : nil
    client = attacksServer ? nil : RequestClient(on: pair)
    client?.send("GET", "/")
    client?.send("POST", "/", body: [1, 2, 3])
    var isReady = false
    let handle = pair.onServer
    pair.onServer = { [unowned self] key, event in
      self.key = key
      if case .handshakeCompleted = event { isReady = true }
      handle(key, event)
    }
    try pair.run { isReady }
    try pair.run(for: .milliseconds(200))
  }

  /// The one that attacks; nil when it is gone.
  package var peer: HTTP3Connection? { server != nil ? pair.client : key.flatMap { pair.server.connection($0) } }

  /// The one that is attacked; nil when it is gone.
  package var victim: HTTP3Connection? { server != nil ? key.flatMap { pair.server.connection($0) } : pair.client }

  /// The error with which the victim ended the connection; nil while it lasts.
  package var verdict: HTTP3Error? { server?.connectionErrors.first ?? client?.closed }

  package func open(isBidirectional: Bool) -> StreamID? { peer?.raw?.open(isBidirectional: isBidirectional) }

  /// A stream for a request to a server, or one that the client opened for its own.
  package func request() -> StreamID? {
    server != nil ? open(isBidirectional: true) : client?.streams.values.min()
  }

  /// The control stream with SETTINGS and both of QPACK, as HTTP/3 begins (RFC 9114 § 6.2).
  package func beginHTTP() -> [StreamID] {
    let beginnings: [[UInt8]] = [[0, 4, 5, 1, 0x50, 0, 7, 16], [2], [3]]
    return beginnings.compactMap { bytes in
      let id = open(isBidirectional: false)
      if let id { peer?.raw?.send(bytes, on: id) }
      return id
    }
  }

  /// Puts frames into a packet of their own; see ``RawStreams/sendFrames(_:carrier:bits:)``.
  package func send(frames: [UInt8]) {
    if carrier == nil { carrier = open(isBidirectional: false) }
    guard let carrier, !frames.isEmpty else { return }
    peer?.raw?.sendFrames(frames, carrier: carrier)
  }
}
