/// Limits and timers of one connection, client or server.
package struct ConnectionConfiguration: Sendable {
  /// Silence after which the connection is dropped silently (RFC 9000 § 10.1).
  package var idleTimeout: Duration = .seconds(60)
  /// A PING goes out after this much silence, so that the path's bindings stay (RFC 9000 § 10.1.2), and sooner where the
  /// peer's idle time-out is short; nil for never.
  package var keepAlive: Duration? = .seconds(20)
  /// Time for the whole handshake.
  package var handshakeTimeout: Duration = .seconds(10)
  /// The round-trip time assumed before the first sample; 333 ms by default (RFC 9002 § 6.2.2) makes the
  /// first probe wait a second, so a smaller value is used.
  package var initialRoundTrip: Duration = .milliseconds(100)
  /// The versions that are spoken, the preferred one first; not empty. A client begins with version 1 where it may. A
  /// server stays with the client's, unless its `changesVersion` is set.
  package var versions: [QUICVersion] = [.v1]
  package var congestionControl = CongestionControl.cubic
  /// The time that an acknowledgement may be held back (RFC 9000 § 13.2.1), in whole milliseconds; the peer adds it
  /// to its probe time-out, which is what a lone lost event waits for. With 5 ms that comes 20 ms sooner than with
  /// QUIC's default of 25 ms: late by 22 in place of 42 ms where the round trip is 10 ms, by 62 in place of 83 ms
  /// where it is 50 ms, for the same number of datagrams (`bench ack-delay`), because the library holds an
  /// acknowledgement back for an eighth of a round trip at most. Where the round trip is 200 ms nothing is won, and
  /// events 20 ms apart are acknowledged one by one in place of two by two. With 1 ms the server begins to probe for
  /// nothing.
  package var maximumAckDelay: Duration = .milliseconds(5)
  /// Bytes that the peer may send on one stream before they are consumed.
  package var streamWindow: UInt64 = 1 << 20
  /// Bytes that the peer may send on all streams before they are consumed; a server's client, before they are delivered.
  package var connectionWindow: UInt64 = 8 << 20
  /// Requests that the peer may have open at once (server).
  package var maximumRequests: UInt64 = 100
  /// Bytes of one header or trailer section that are taken, names and values and 32 for each field
  /// (RFC 9114 § 4.2.2).
  package var maximumFieldSectionSize: Int = 64 << 10
  /// Body bytes that may wait for one stream's acknowledgements before the owner should stop writing; `bodyAcknowledged`
  /// comes when half of them are left.
  package var sendBufferTarget: Int = 512 << 10
  /// Whether HTTP Datagrams are taken and, if the peer takes them too, can be sent (RFC 9297).
  package var usesDatagrams = false
  /// Whether a client asks for repeats of its responses, and a server grants them, and how; nil for never. HTTP Datagrams
  /// are taken with it.
  package var repeats: RepeatConfiguration?
  /// Whether packets are marked as able to carry ECN, and the marks that came are reported to the peer (RFC 9000 § 13.4).
  /// Some servers cannot read such reports and close the connection (nginx#945).
  package var usesECN = true
  /// Asks the peer to stay at its address (RFC 9000 § 18.2): for a server behind a load balancer that distributes by
  /// address. One whose address is changed on the way is served all the same.
  package var forbidsMigration = false
  /// Whether datagrams above 1 200 bytes are tried (RFC 9000 § 14.3); the trying itself costs some.
  package var probesPathMTU = true
  /// The cipher suites that are offered, or taken, the preferred one first; not empty.
  package var cipherSuites = CipherSuite.allCases
  /// The groups for the key exchange that are offered, or taken, the preferred one first; not empty.
  package var keyExchangeGroups = KeyExchangeGroup.usual
  /// Packets that one key seals before the library changes it by itself; nil for as many as the cipher allows
  /// (RFC 9001 § 6.6), which is 2^23 with AES-GCM.
  package var packetsPerKey: UInt64?
  /// Bytes that a server sends before it may keep a packet back, to find a client that acknowledges what it has not received
  /// (RFC 9000 § 21.4).
  package var unsentPacketSpan = UnsentPackets.span
  package var mapping = ApplicationProtocol.http3
  /// Records the connection's events; nil, the default, costs nothing.
  package var qlog: QlogConfiguration?
  /// A peer without HTTP/3 that writes any bytes and frames, to test what the other end tolerates; see `RawStreams`.
  package var isRaw = false
  /// Bytes that a raw peer puts behind its Finished into the CRYPTO stream of Handshake packets.
  package var rawBehindFinished: [UInt8] = []

  package init() {}

  /// Whether datagrams are taken, for whatever reason.
  var takesDatagrams: Bool { usesDatagrams || repeats != nil }
}

/// The configuration of a client's connection.
package struct ClientConfiguration: Sendable {
  package var connection = ConnectionConfiguration()
  /// The host of the URL: a DNS name or an IP address without brackets. Sent as server name only if it is a name.
  package var host: String
  package var verifier: CertificateVerifier
  /// The certificates that are shown to a server that asks for one, and their key; nil for none.
  package var identity: LoadedCredentials?
  /// A ticket of an earlier connection to the same server, verified in the same way; nil for a full handshake.
  package var ticket: ResumptionTicket?
  /// A token that the server gave for the next connection (`newTokenReceived`); nil for none.
  package var token: [UInt8]?
  /// Called with each line of the TLS key log (SSLKEYLOGFILE's format); nil keeps the secrets in.
  package var keyLog: (@Sendable (String) -> Void)?
  /// The name that is offered with ALPN in place of the mapping's own; a raw client offers none with an empty one.
  package var applicationProtocol: String?

  package init(host: String, verifier: CertificateVerifier) {
    self.host = host
    self.verifier = verifier
  }
}

/// A server's policy on answering a client's first packet with Retry (RFC 9000 § 8.1.2); a client that brings a token
/// of an earlier connection is spared.
package enum AddressValidationPolicy: Hashable, Sendable {
  case always
  /// While this many handshakes or more are in progress, so that packets with forged addresses fill no memory.
  case whenBusy(handshakes: Int)

  /// Whether a client has to prove its address while there are this many handshakes.
  func isDue(during handshakes: Int) -> Bool {
    switch self {
    case .always: true
    case .whenBusy(let limit): handshakes >= limit
    }
  }
}

/// The configuration of a server.
package struct ServerConfiguration: Sendable {
  package var connection = ConnectionConfiguration()
  package var credentials: ServerCredentials
  /// Connections held at once, closed ones apart; an Initial beyond it is answered with CONNECTION_REFUSED. An endpoint's
  /// ``HTTP3ServerEndpoint/admission`` takes its place.
  package var maximumConnections = 1_000
  /// The policy on which a client first has to prove, at the cost of a round trip, that it receives what is sent to
  /// its address.
  package var addressValidation = AddressValidationPolicy.whenBusy(handshakes: 100)
  /// The addresses, one of each family at most, that clients are asked to continue at (RFC 9000 § 9.6).
  package var preferredAddresses: [NetworkAddress] = []
  /// The endpoint's place among those that share its addresses, each on a loop of its own, to which all connection ids that
  /// it gives out lead; nil where it is the only one.
  package var place: LoopPlace?
  /// The form of connection ids by which load balancers route; nil for random ones.
  package var routing: RoutableIDs?
  /// The secret of stateless reset tokens (RFC 9000 § 10.3.2), 16 bytes or more; the same one after a restart
  /// lets the server notify old clients at once that it has forgotten them. Nil takes a random one.
  package var resetSecret: [UInt8]?
  /// The secrets of session tickets and address tokens, 32 bytes or more each: the first seals, and all open what others
  /// with them, or this server before a restart, have sealed, though early data comes with the tickets since then alone.
  /// None takes a random one.
  package var secrets: [[UInt8]] = []
  /// The time of day in seconds since 1970, by which servers that share `secrets` understand each other's tokens, and the
  /// tickets that are not of the first secret. Without it both are opened by this server alone, or not at all.
  package var secondsSince1970: (@Sendable () -> Int)?
  /// Session tickets that each client is given, of which each is good for one connection.
  package var ticketsPerConnection: UInt32 = 2
  /// Whether requests may come beside a resumed handshake (0-RTT).
  package var takesEarlyData = true
  /// Handshakes with early data that are remembered for the two hours of a ticket's life, so that none is taken twice:
  /// 36 a second, in 85 bytes each, which makes 22 MB when it is full. Beyond it early data is refused to all, never
  /// taken unchecked; the requests then come after the handshake. The memory is the process's own: where several share
  /// `secrets`, each may take a replayed request once.
  package var earlyDataMemory = Self.earlyDataMemory
  /// Whether a client is taken over, in the same handshake, to the first of the connection's `versions` that it offers
  /// too (RFC 9368 § 2.3). Tickets and tokens are of one version (RFC 9369 § 5) and clients begin their next connection
  /// with their own, so one that is taken over never resumes: aioquic, which offers version 2 behind version 1, had no
  /// ticket and no 0-RTT.
  package var changesVersion = false
  /// Whether clients that begin a connection while the endpoint goes away are left to another server that takes over the socket:
  /// they are not answered, and their packets come again. Otherwise they are refused. Packets of connections that it does not
  /// know, which may be that server's, get no stateless reset then.
  package var leavesNewcomers = false
  /// One of so many connections is traced, at random, where any is.
  package var tracesOneOf = 1
  package var keyLog: (@Sendable (String) -> Void)?
  /// The protocol for ALPN in place of the mapping's own name; a client that wants something else is refused
  /// (RFC 9114 § 3.1). A raw server answers ALPN with nothing if it is empty.
  package var applicationProtocol: String?

  /// The initial value of ``earlyDataMemory``.
  package static let earlyDataMemory = 1 << 18

  package init(credentials: ServerCredentials) {
    self.credentials = credentials
    // A client that wants its connection to last sees to that; one that is gone is to be forgotten.
    connection.keepAlive = nil
    // QUIC's default: a large request's acknowledgements are many, a lone event's is a client's to send.
    connection.maximumAckDelay = .milliseconds(25)
    // Version 2 for those who begin with it, which few do.
    connection.versions = [.v2, .v1]
  }

  /// The configuration of the next connection, which is traced or not.
  func drawn(_ random: RandomSource) -> ServerConfiguration {
    guard connection.qlog != nil, tracesOneOf > 1 else { return self }
    let number = random.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard number % UInt64(tracesOneOf) != 0 else { return self }
    var configuration = self
    configuration.connection.qlog = nil
    return configuration
  }
}
