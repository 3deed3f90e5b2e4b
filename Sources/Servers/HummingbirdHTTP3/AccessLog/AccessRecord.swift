/// One request as a server's access log has it, with its response and the way in which they ended.
///
/// The texts are the client's own words, of any length and with any characters: ``line(_:)`` limits and escapes them, and so
/// must a writer of them elsewhere.
public struct AccessRecord: Hashable, Sendable {
  /// The protocol that a request came by.
  public enum Transport: String, Hashable, Sendable, CaseIterable {
    /// HTTP/1.1 (RFC 9112).
    case http1 = "h1"
    /// HTTP/2 (RFC 9113).
    case http2 = "h2"
    /// HTTP/3 (RFC 9114).
    case http3 = "h3"
    /// A request of HTTP/1.1 to become a WebSocket (RFC 6455); the record is made when the WebSocket has ended.
    case webSocket = "ws"
  }

  /// The way in which an exchange ended.
  public enum Ending: String, Hashable, Sendable, CaseIterable {
    /// The response was handed over whole.
    case complete
    /// The client cancelled the request, or the connection ended, also at the server's shutdown.
    case left
    /// The server gave up: a handler failed behind the response's head.
    case failed
  }

  /// The moment at which the request's fields were complete, as time since 1970 (UTC).
  public var time: Duration
  /// The time from then to the exchange's end.
  public var duration: Duration = .zero
  /// The client's IP address, without its port; nil where the system tells none.
  public var clientAddress: String?
  /// The protocol that the request came by.
  public var transport: Transport
  /// Whether the connection resumed an earlier one's TLS session; nil where that is not known, as over TCP.
  public var isResumed: Bool?
  /// Whether the request came as early data (0-RTT) of this server's own connection.
  public var isEarlyData = false
  /// The request's method.
  public var method: String
  /// The host, and port if any, that the request names; nil where it names none.
  public var authority: String?
  /// The request's path without its query, which may carry what does not belong into a log.
  public var path: String
  /// The `referer` field without its query; nil where there is none.
  public var referrer: String?
  /// The `user-agent` field; nil where there is none.
  public var userAgent: String?
  /// The request's `x-request-id`, or the one that was made for it.
  public var requestID: String
  /// The response's status; nil where its head was not sent.
  public var status: Int?
  /// Bytes of the request's content that were taken; nil for a WebSocket.
  public var bytesReceived: Int?
  /// Bytes of the response's content that were handed over to be sent; nil for a WebSocket.
  public var bytesSent: Int?
  /// The way in which the exchange ended.
  public var ending = Ending.complete
  /// The error code of HTTP/3 or QUIC that ended the exchange, such as `H3_REQUEST_CANCELLED`, where there is one.
  public var code: String?

  /// Creates the record of a request that has just begun.
  public init(
    time: Duration, clientAddress: String?, transport: Transport, method: String, authority: String?, path: String,
    requestID: String
  ) {
    self.time = time
    self.clientAddress = clientAddress
    self.transport = transport
    self.method = method
    self.authority = authority
    self.path = path
    self.requestID = requestID
  }

  /// The record as one line of a log, without the newline at its end.
  ///
  /// Each text of the client's is cut at its limit (2 KiB for the path, 512 bytes or fewer for others), and every byte of it
  /// that is not printable ASCII is escaped, so that none can end the line, imitate another, or steer a terminal.
  public func line(_ format: AccessLogFormat) -> String { String(decoding: bytes(format), as: UTF8.self) }

  func bytes(_ format: AccessLogFormat) -> [UInt8] {
    switch format {
    case .combined: CombinedLine.bytes(of: self)
    case .json: JSONAccessLine.bytes(of: self)
    }
  }
}

/// Receives the record of each request when its exchange has ended, on the task that served it: it has to return soon.
public typealias AccessLog = @Sendable (AccessRecord) -> Void
