package import HTTP3Engine

/// Limits and timers of an HTTP/3 transport.
public struct HTTP3TransportConfiguration: Hashable, Sendable {
  /// Time for name resolution and the QUIC handshake together.
  public var connectTimeout: Duration = .seconds(10)
  /// The silence of one address after which the next one is tried beside it (RFC 8305 § 5).
  public var addressDelay: Duration = .milliseconds(250)
  /// Silence after which the connection counts as lost.
  public var idleTimeout: Duration = .seconds(60)
  /// A PING goes out after this much silence, nil for never. It keeps the path's bindings, for which 30 s would do
  /// (RFC 9000 § 10.1.2), and is how a client that only listens finds out that the server was restarted. Sooner where
  /// the server's idle time is short, and while a response is expected.
  public var keepAlive: Duration? = .seconds(20)
  /// Whether QUIC version 2 is offered (RFC 9369): a server that prefers it continues with it in the same handshake.
  public var offersQUICVersion2 = false
  /// Whether another connection is tried beside one whose path fell silent, and takes its place if it is the first to
  /// answer. Without it the connection waits for its path until ``idleTimeout``.
  public var replacesSilentConnections = true
  /// Whether datagrams above 1 200 bytes are tried when a connection begins (RFC 9000 § 14.3). What a path carries has
  /// to be tried with datagrams of that size, some kilobytes in all.
  public var probesPathMTU = true
  /// Whether QUIC version 2 is spoken from the first packet on, and no other, to see that a server takes it.
  package var speaksQUICVersion2Alone = false
  /// Whether safe requests without a body are sent beside the handshake when a ticket allows it (0-RTT): a round trip
  /// sooner, and an observer on the network can make the server answer them again, though not read the answer.
  public var sendsEarlyData = true
  /// The responses that servers are asked to repeat beside their streams, so that they need not wait for what a packet
  /// lost (see <doc:ContentRepeats>). Servers that do not know of it answer as before.
  public var repeatedResponses = RepeatedResponses.eventStreams
  /// The time after which a server is asked to send content once more in a packet of its own, where no packet has taken it
  /// along: 1 ms to 1 s, in whole milliseconds; nil, the default, for never. A lone event that is lost comes so much later
  /// than one that is not, and a response that nothing else is sent beside costs twice the packets.
  public var hedgeDelay: Duration?
  /// Body bytes of one response that may wait for their reader. There is no limit for all together, with which responses
  /// that nobody reads would hold up the others.
  public var receiveWindow = 1 << 20
  /// Request body bytes that may wait to be acknowledged before a streamed body waits; it is asked for more when half of
  /// them are left.
  public var sendBuffer = 512 << 10
  /// Bytes of a header or trailer section, counted as RFC 9114 § 4.2.2 does.
  public var maximumFieldSectionSize = 64 << 10
  /// Requests that may wait until the server allows more.
  public var maximumWaitingRequests = 1_000
  /// The directory that each connection's events are written to, in qlog's form and a file of its own; nil, the
  /// default, for nowhere. It is made, closed to others, where it is missing. No file holds secrets, bodies or values of
  /// fields that may be secret, but each reveals whom this program talks to and when.
  public var qlogDirectory: String?

  /// The cipher suites on offer; interoperability tests choose them, and nobody else has a reason to.
  package var cipherSuites = CipherSuite.allCases
  package var mapping = ApplicationProtocol.http3
  /// ``ConnectionConfiguration/initialRoundTrip`` of a connection to a server of which nothing is known, and
  /// ``ConnectionConfiguration/maximumAckDelay``; nil for the engine's own. Measurements set them to QUIC's defaults.
  package var initialRoundTrip: Duration?
  package var maximumAckDelay: Duration?

  /// Creates a configuration with the default of each property.
  public init() {}

  /// The same with buffers that can hold at least a byte, so that nothing waits for room that never comes.
  var sane: HTTP3TransportConfiguration {
    var configuration = self
    configuration.receiveWindow = max(receiveWindow, 1)
    configuration.sendBuffer = max(sendBuffer, 1)
    return configuration
  }
}
