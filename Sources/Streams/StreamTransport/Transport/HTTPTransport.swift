public import HTTPTypes

/// A way to reach one origin: HTTP/3, HTTP/1.1, or a race between two others.
///
/// Every conformer passes one conformance suite. All are safe to call from any task.
public protocol HTTPTransport: Sendable {
  /// The scheme, host and port that all requests go to.
  var origin: Origin { get }

  /// Makes sure that a connection exists, and returns once its handshake is done and the server's certificate accepted.
  ///
  /// Calling it again while a connection is up costs nothing. Throws ``TransportError``.
  func connect() async throws -> ConnectionInfo

  /// Sends one request and returns when the final response's fields have arrived.
  ///
  /// Connects first if need be. Authority and scheme are filled in from ``origin`` where missing, and
  /// refused where they name another origin: connections are not shared between origins. An
  /// `x-request-id` is added where missing. Cancelling the task cancels the request; so does releasing or
  /// cancelling the response's body before its end. Throws ``TransportError``.
  func send(_ request: HTTPRequest, body: RequestBody) async throws -> TransportResponse

  /// A snapshot of the current connection; nil while there is none.
  func snapshot() async -> ConnectionSnapshot?

  /// Closes all connections and fails what is in flight. A later call connects again.
  ///
  /// ``withTransport(_:isolation:_:)`` calls it however its body ends.
  func close() async
}

extension HTTPTransport {
  /// Sends a request without a body.
  public func send(_ request: HTTPRequest) async throws -> TransportResponse {
    try await send(request, body: .none)
  }
}

/// The body of a request.
public enum RequestBody: Sendable {
  /// No content; `content-length: 0` is sent for POST, PUT and PATCH (RFC 9110 § 8.6).
  case none
  /// Content in memory; its `content-length` is sent.
  case bytes([UInt8])
  /// Chunks that are pulled as the connection takes them.
  case stream(any AsyncSequence<[UInt8], any Error> & Sendable)
}

/// The fields of a final response and its body, which may still be on its way.
public struct TransportResponse: Sendable {
  /// The status and fields of the final response.
  public var head: HTTPResponse
  /// A single-pass sequence of byte chunks; releasing it before its end cancels the request.
  public var body: ResponseBody
  /// The connection that the response came over.
  public var connection: ConnectionInfo
  /// The `x-request-id` that the request carried.
  public var requestID: String
  /// The interim responses (1xx, RFC 9110 § 15.2) that came before, such as 103 with its `link` fields; a server that
  /// sends more than 16 of them breaks the request off.
  public var interimResponses: [HTTPResponse]

  /// Creates a response, as a transport outside this package or a test does.
  public init(
    head: HTTPResponse, body: ResponseBody, connection: ConnectionInfo, requestID: String,
    interimResponses: [HTTPResponse] = []
  ) {
    self.interimResponses = interimResponses
    self.head = head
    self.body = body
    self.connection = connection
    self.requestID = requestID
  }
}

/// The result of a connection's handshake.
public struct ConnectionInfo: Hashable, Sendable {
  /// The HTTP version spoken.
  public var transport: TransportKind
  /// The TLS cipher suite; nil over HTTP/1.1, where it is not known.
  public var cipher: String?
  /// The address and port that were connected to: the server's, or its proxy's.
  public var remoteAddress: String
  /// Time to the end of the handshake: from the first packet on over HTTP/3; over HTTP/1.1 from the call on, with the name's
  /// look-up, TCP and a proxy's tunnel.
  public var handshake: Duration
  /// Whether the handshake continued with an earlier connection's session.
  public var resumption: Resumption
  /// The reason for the choice of this transport: the race's outcome in words; nil where there was no race.
  public var reason: String?
  /// QUIC's version, 1 (RFC 9000) or 2 (RFC 9369); nil over TCP.
  public var quicVersion: Int?
  /// The duration of the look-up of the server's name, before the handshake; nil where it is not known apart.
  public var nameLookup: Duration?

  /// Creates the description of a connection, as a transport outside this package or a test does.
  public init(
    transport: TransportKind, cipher: String?, remoteAddress: String, handshake: Duration,
    resumption: Resumption = .none, reason: String? = nil, quicVersion: Int? = nil, nameLookup: Duration? = nil
  ) {
    self.transport = transport
    self.cipher = cipher
    self.remoteAddress = remoteAddress
    self.handshake = handshake
    self.resumption = resumption
    self.reason = reason
    self.quicVersion = quicVersion
    self.nameLookup = nameLookup
  }
}

/// The part of a handshake that an earlier connection's session saved (RFC 8446 § 2.2, § 2.3).
public enum Resumption: String, Hashable, Sendable, Codable, CaseIterable {
  /// A full handshake.
  case none
  /// The session was resumed; requests waited for the handshake.
  case resumed
  /// Requests went out beside the handshake, and the server took them (0-RTT).
  case earlyDataAccepted
  /// Requests went out beside the handshake and had to be sent again after it.
  case earlyDataRefused
}

/// The HTTP version of a connection; the raw value is what programs print.
public enum TransportKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// HTTP/3 (RFC 9114) over QUIC.
  case http3 = "h3"
  /// HTTP/1.1 (RFC 9112) over TCP, with TLS for `https` origins.
  case http1 = "h1"
}

/// Counters and estimates of a connection at one moment; nil where the transport cannot know.
public struct ConnectionSnapshot: Hashable, Sendable {
  /// The result of the connection's handshake.
  public var connection: ConnectionInfo
  /// Smoothed round-trip time (RFC 9002 § 5.3).
  public var roundTrip: Duration?
  /// The smallest round-trip time that was measured.
  public var minimumRoundTrip: Duration?
  /// Bytes that may be in flight at once (RFC 9002 § 7).
  public var congestionWindow: UInt64?
  /// UDP datagrams that were sent.
  public var packetsSent: UInt64?
  /// UDP datagrams that arrived.
  public var packetsReceived: UInt64?
  /// Bytes in the datagrams sent, without the headers of UDP and IP.
  public var bytesSent: UInt64?
  /// Bytes in the datagrams that arrived, without the headers of UDP and IP.
  public var bytesReceived: UInt64?
  /// This machine's address and port on the path that is in use.
  public var localAddress: String?
  /// The number of times that the connection moved to another of this machine's addresses (RFC 9000 § 9).
  public var migrations: Int?

  /// Creates a snapshot whose other values are nil.
  public init(connection: ConnectionInfo, roundTrip: Duration? = nil) {
    self.connection = connection
    self.roundTrip = roundTrip
  }
}
