package import HTTP3Engine

/// Optional behavior of an HTTP/3 server.
public struct HTTP3ServerOptions: Hashable, Sendable {
  /// Whether every new client has to prove its address first, which costs it a round trip (Retry, RFC 9000 § 8.1.2).
  /// Without it only those have to that come while a hundred handshakes are in progress (of ``loops``, each has its part of
  /// them), or while their prefix or the server has all the connections that ``HTTP3Limits`` allow.
  public var alwaysValidatesAddresses: Bool
  /// The file (0600, made where it is missing) with the secrets of session tickets and address tokens. Servers may share it, and
  /// with it tickets remain valid after a restart; nil for a secret that lasts as long as the process (see
  /// <doc:ResumptionAndEarlyData>). It is read anew when it changes. Of servers that share it, one takes early data, since
  /// what keeps that from being taken twice is each process's own memory.
  public var ticketSecretFile: String?
  /// The time after which a new secret is put into ``ticketSecretFile``, 12 hours at least, a day by default; nil where another
  /// program does that.
  /// Two before it stay in use.
  public var secretRotation: Duration? = .seconds(86_400)
  /// Secrets that come from elsewhere, such as a key service, in place of a file: 32 bytes or more each, the first seals and
  /// all open. ``HTTP3Server/use(secrets:)`` replaces them. Early data is then refused unless
  /// ``takesEarlyDataUnderGivenSecrets`` is set.
  public var secrets: [[UInt8]] = []
  /// Whether early data is taken with ``secrets``: set it where no other server has them at the same time, or where each may
  /// take a replayed request once.
  public var takesEarlyDataUnderGivenSecrets = false
  /// Whether safe requests may come beside a resumed handshake (0-RTT), in spite of what can be replayed with them.
  public var takesEarlyData: Bool
  /// The directory that each connection's events are written to; see ``HTTP3TransportConfiguration/qlogDirectory``.
  public var qlogDirectory: String?
  /// The share of the connections that is traced, and the traces that are kept.
  public var qlogSampling = QlogSampling()
  /// The file that TLS secrets are appended to; see ``TLSOptions/keyLogFile``.
  public var keyLogFile: String?
  /// Whether a client that offers QUIC version 2 beside version 1 is taken over to it in the same handshake (RFC 9369). It
  /// then gets no usable ticket: a ticket belongs to one version, and the client starts with version 1 again.
  public var prefersQUICVersion2 = false
  /// The responses that are repeated for clients that ask for it, so that they need not wait for what a packet lost (see
  /// <doc:ContentRepeats>).
  public var repeatedResponses = RepeatedResponses.eventStreams
  /// Whether content is also repeated in packets of its own for clients that ask for that.
  public var sendsHedges = true
  /// Whether a connection's first loss begins the repeats, and a quiet time ends them, so that a link that loses nothing
  /// carries none; without it they are sent from the beginning.
  public var repeatsAfterLossAlone = true
  /// Whether a request's handler runs on the thread that receives the server's datagrams, which saves two switches of threads,
  /// more than all else that a small response costs.
  ///
  /// A handler that blocks there, or computes for long, holds up everything on that thread meanwhile: all connections of the
  /// server, and others' that share it, receive, acknowledge and send nothing. So it is not the default, and is for servers
  /// whose handlers wait by `await` alone. A part that blocks all the same belongs in
  /// `withTaskExecutorPreference(globalConcurrentExecutor)`. Actors that have an executor of their own stay with it.
  public var runsHandlersOnReceivingThread = false
  /// The event loops that share the server's connections, 1 to 64; 1 by default, which serves thousands. Each is a thread
  /// with a socket of its own at the server's address (SO_REUSEPORT); more than the machine has processors gain nothing.
  ///
  /// A connection belongs to the loop that its ids lead to, wherever its packets come from; new ones are shared out by the
  /// ids that clients choose at random. Tickets, tokens, what is known of early data and all limits are the server's.
  public var loops = 1
  /// The form of connection ids by which load balancers find this server among others; nil for ids that tell nothing.
  public var loadBalancing: QUICLoadBalancing?
  /// ``ServerConfiguration/earlyDataMemory``.
  package var earlyDataMemory = ServerConfiguration.earlyDataMemory
  /// The cipher suites on offer; interoperability tests choose them, and nobody else has a reason to.
  package var cipherSuites = CipherSuite.allCases
  package var mapping = ApplicationProtocol.http3
  /// ``ConnectionConfiguration/initialRoundTrip``; nil for the engine's own. Measurements set it to QUIC's default.
  package var initialRoundTrip: Duration?

  /// Creates options; all that is not a parameter has its default.
  public init(
    alwaysValidatesAddresses: Bool = false, ticketSecretFile: String? = nil, takesEarlyData: Bool = true,
    qlogDirectory: String? = nil
  ) {
    self.alwaysValidatesAddresses = alwaysValidatesAddresses
    self.ticketSecretFile = ticketSecretFile
    self.takesEarlyData = takesEarlyData
    self.qlogDirectory = qlogDirectory
  }

  /// The engine's form of ``loadBalancing``; throws ``TransportError`` with `invalidRequest` for what has no place in an id.
  func routableIDs() throws(TransportError) -> RoutableIDs? {
    guard let given = loadBalancing else { return nil }
    guard let ids = RoutableIDs(serverID: given.serverID, number: given.configuration, key: given.key) else {
      throw TransportError(
        .invalidRequest,
        "For load balancers a server's id has 1 to \(RoutableIDs.longestServerID) bytes, a configuration a number from 0 to "
          + "\(RoutableIDs.greatestNumber), and a key 16 bytes.")
    }
    guard loops == 1 || given.key != nil || given.serverID.count <= RoutableIDs.longestPlainServerID else {
      throw TransportError(
        .invalidRequest,
        "A server with several loops has an id of \(RoutableIDs.longestPlainServerID) bytes at most where load balancers have "
          + "no key; shorten the id, or give a key.")
    }
    return ids
  }
}
