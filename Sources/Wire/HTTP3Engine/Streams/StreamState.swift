/// The engine's state of one request stream.
final class StreamState {
  let id: StreamID
  /// Body bytes that wait to be sent or acknowledged.
  let sendBuffer = SendBuffer()
  /// Body bytes that were delivered and not given back by `consume` yet.
  var unconsumed = 0
  /// The section that is being received, and its size as RFC 9114 § 4.2.2 counts it.
  var fields: [HeaderField] = []
  var fieldSectionSize = 0
  /// Interim responses so far; a server may send any number, so they are limited.
  var informationalCount = 0
  /// The fields of a request or response were submitted.
  var hasSentFields = false
  /// Something of a client's request went into a packet; kept up where datagrams are used alone.
  var hasLeft = false
  /// Our side of the stream is over: finished, reset, or stopped by the peer.
  var isWritingOver = false
  /// The end of an HTTP/0.9 message went into a packet.
  var hasSentEnd = false
  /// The peer's message is complete, or its loss was reported.
  var isReadingOver = false
  /// That the peer took the request back was counted.
  var isGlitchCounted = false
  /// The client said nothing of the response's priority, so that it takes turns with others.
  var takesTurns = false
  /// The application error code that QUIC closed the stream with, if it did so with one.
  var closingCode: ApplicationErrorCode?
  /// The watch over the peer's message. Changed for each packet, and by nothing that comes back here meanwhile: no
  /// check for overlapping access, which took a hundredth of a download's time.
  @exclusivity(unchecked) var watch: MessageWatch?

  init(_ id: StreamID) {
    self.id = id
  }

  /// Whether bytes or the end of an HTTP/0.9 message wait to be sent.
  var hasMoreToSend: Bool { sendBuffer.hasUnsent || (sendBuffer.isFinished && !hasSentEnd) }
}
