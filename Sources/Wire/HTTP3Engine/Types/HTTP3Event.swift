/// A QUIC stream identifier (RFC 9000 § 2.1).
package struct StreamID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var rawValue: Int64

  package init(_ rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Whether only the side that opened the stream sends on it.
  var isUnidirectional: Bool { rawValue & 0x02 != 0 }

  package static func < (left: StreamID, right: StreamID) -> Bool { left.rawValue < right.rawValue }
  package var description: String { String(rawValue) }
}

/// One field of a header or trailer section; names are lower case on the wire (RFC 9114 § 4.2).
package struct HeaderField: Hashable, Sendable {
  package var name: String
  package var value: String
  /// Kept out of compression's dynamic table (RFC 9204 § 7.1.3); `authorization` and `cookie` always are.
  package var isSensitive: Bool

  package init(_ name: String, _ value: String, isSensitive: Bool = false) {
    self.name = name
    self.value = value
    self.isSensitive = isSensitive
  }
}

/// An event of a connection for its owner, in the order in which it happened.
package enum HTTP3Event: Sendable {
  /// The handshake is complete and, on a client, the server's certificate was accepted.
  case handshakeCompleted(HandshakeInfo)
  /// The peer's SETTINGS arrived (RFC 9114 § 7.2.4).
  case settingsReceived
  /// A client opened the stream of a request; nothing more than a frame of the stream has come. On a server, and
  /// followed by `streamClosed` in every case but the connection's end.
  case requestBegan(StreamID)
  /// A request (on a server) or a final response (on a client).
  case headersReceived(StreamID, [HeaderField])
  /// An interim 1xx response (RFC 9114 § 4.1).
  case informationalReceived(StreamID, [HeaderField])
  /// Body bytes; give them back with ``HTTP3Connection/consume(_:on:)`` when the application has taken them.
  case bodyReceived(StreamID, [UInt8])
  case trailersReceived(StreamID, [HeaderField])
  /// A datagram of an open request (RFC 9297); others may have been lost before it.
  case datagramReceived(StreamID, [UInt8])
  /// The peer has sent all of its message.
  case messageCompleted(StreamID)
  /// The peer took back its side of the stream (RESET_STREAM), or a request was never processed.
  case streamReset(StreamID, HTTP3Error)
  /// The peer wanted no more of our message before it was complete (STOP_SENDING); `streamClosed` follows.
  case stopSendingReceived(StreamID, ApplicationErrorCode)
  /// The peer acknowledged body bytes; `buffered` bytes of this stream's body still wait or are in flight.
  case bodyAcknowledged(StreamID, buffered: Int)
  /// Both sides of the stream are over; the id does not occur again, except that a client's ids begin again where early data was refused.
  case streamClosed(StreamID)
  /// The server gave a ticket for the next connection to it.
  case ticketReceived(ResumptionTicket)
  /// The server gave a token for the next connection to it, which then needs no Retry (RFC 9000 § 8.1.3).
  case newTokenReceived([UInt8])
  /// The peer answers on this path: the one that the connection has gone over to.
  case pathValidated(NetworkPath)
  /// Nothing came back over this path in three probe time-outs. After a probed migration the old one is in use as
  /// before; after an immediate one this path still is, as there is no other.
  case pathValidationFailed(NetworkPath)
  /// A new request may be sent again after ``HTTP3Error/Code/streamLimitReached``.
  case requestStreamsAvailable
  /// The peer will process no request from `firstUnprocessed` on (RFC 9114 § 5.2).
  case goAwayReceived(firstUnprocessed: StreamID)
  /// A client's packets were not acknowledged for three probe time-outs: the path may carry nothing any more. The
  /// connection keeps asking.
  case pathSuspected
  /// Something was acknowledged after all.
  case pathAnswered
  /// The connection is over; nothing follows.
  case closed(HTTP3Error)
}

/// The result of the handshake: plain numbers, since it is looked at for each packet and strings would be counted
/// each time.
package struct HandshakeInfo: Hashable, Sendable {
  /// The QUIC version, 1 for RFC 9000.
  package var version: UInt32
  /// GnuTLS's numbers of the cipher and of the group.
  var cipherNumber: UInt32
  var groupNumber: UInt32
  /// TLS continued with an earlier connection's session.
  package var isResumed: Bool
  package var earlyData: EarlyData

  /// The fate of a client's early data (RFC 9001 § 4.6).
  package enum EarlyData: String, Hashable, Sendable {
    case notOffered
    case accepted
    /// Rejected; the requests have to be sent again.
    case rejected
  }

  /// The TLS cipher suite's name, such as `AES-128-GCM`.
  package var cipher: String { GnuTLS.cipherName(cipherNumber) }

  /// The key-exchange group's name, such as `X25519`.
  package var group: String { GnuTLS.groupName(groupNumber) }
}

/// Counters and estimates of one connection at one moment.
package struct ConnectionStatistics: Hashable, Sendable {
  /// Smoothed and smallest round-trip time (RFC 9002 § 5.3); nil before the first sample.
  package var smoothedRoundTrip: Duration?
  package var minimumRoundTrip: Duration?
  /// Congestion window, in bytes.
  package var congestionWindow: UInt64
  package var datagramsSent: UInt64
  package var datagramsReceived: UInt64
  package var bytesSent: UInt64
  package var bytesReceived: UInt64
  /// The repeats that a server has sent.
  package var repeats = RepeatCounters()
  /// The content that a client handed on before its stream brought it, in bytes.
  package var earlyContentCount: UInt64 = 0
}

extension ConnectionStatistics {
  init(_ traffic: TrafficCounters, _ metrics: QlogTrace.Metrics) {
    self.init(
      smoothedRoundTrip: metrics.smoothedRoundTrip.map { .nanoseconds(Int64(clamping: $0)) },
      minimumRoundTrip: metrics.minimumRoundTrip.map { .nanoseconds(Int64(clamping: $0)) },
      congestionWindow: metrics.congestionWindow ?? 0, datagramsSent: traffic.datagramsSent,
      datagramsReceived: traffic.datagramsReceived, bytesSent: traffic.bytesSent, bytesReceived: traffic.bytesReceived)
  }
}
