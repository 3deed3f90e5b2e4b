import HTTP3Engine

/// The life of a client's connection: it connects, takes requests, finishes those that it has, and ends.
struct ConnectionLife {
  private enum State {
    case connecting
    case open(ConnectionInfo)
    /// No new request is taken; those that run are finished.
    case leaving(ConnectionInfo?)
    case ended(TransportError, ConnectionInfo?)
  }

  /// The server's address when the connection began.
  let remote: NetworkAddress
  /// Answered at the end of the handshake or of the connection, whichever is first.
  let handshakeEnd = OneShot<ConnectionInfo>()
  private let startedAt: Timestamp
  private let nameLookup: Duration
  private var state = State.connecting

  /// - Parameter nameLookup: how long the look-up of the server's name took.
  init(to remote: NetworkAddress, at now: Timestamp, nameLookup: Duration) {
    self.remote = remote
    startedAt = now
    self.nameLookup = nameLookup
  }

  /// The result of the handshake, also after the end; nil before it.
  var info: ConnectionInfo? {
    switch state {
    case .connecting: nil
    case .open(let info): info
    case .leaving(let info), .ended(_, let info): info
    }
  }

  /// The reason for the connection's end, once it has ended.
  var failure: TransportError? {
    switch state {
    case .connecting, .open, .leaving: nil
    case .ended(let reason, _): reason
    }
  }

  var isLive: Bool {
    switch state {
    case .connecting, .open, .leaving: true
    case .ended: false
    }
  }

  var isLeaving: Bool {
    switch state {
    case .leaving: true
    case .connecting, .open, .ended: false
    }
  }

  /// Whether the handshake is done and nothing has announced the end yet.
  var takesRequests: Bool {
    switch state {
    case .open: true
    case .connecting, .leaving, .ended: false
    }
  }

  /// The handshake is complete: what was agreed on, nil where that is known or the connection has ended.
  mutating func establish(_ handshake: HandshakeInfo, at now: Timestamp) -> ConnectionInfo? {
    let info = ConnectionInfo(
      transport: .http3, cipher: handshake.cipher, remoteAddress: remote.description, handshake: now - startedAt,
      resumption: Resumption(handshake), quicVersion: handshake.version == QUICVersion.v2.rawValue ? 2 : 1,
      nameLookup: nameLookup)
    switch state {
    case .connecting: state = .open(info)
    case .leaving(nil): state = .leaving(info)
    case .open, .leaving, .ended: return nil
    }
    handshakeEnd.answer(.success(info))
    return info
  }

  /// No new request is taken from now on.
  mutating func leave() {
    switch state {
    case .connecting: state = .leaving(nil)
    case .open(let info): state = .leaving(info)
    case .leaving, .ended: break
    }
  }

  /// The first reason stands.
  mutating func end(_ reason: TransportError) {
    guard isLive else { return }
    state = .ended(reason, info)
    handshakeEnd.answer(.failure(reason))
  }
}

extension Resumption {
  init(_ handshake: HandshakeInfo) {
    switch (handshake.isResumed, handshake.earlyData) {
    case (_, .accepted): self = .earlyDataAccepted
    case (_, .rejected): self = .earlyDataRefused
    case (true, .notOffered): self = .resumed
    case (false, .notOffered): self = .none
    }
  }
}
