/// The engine's state of one request stream.
final class StreamState {
  /// The order in which a server's responses are sent (RFC 9218).
  enum ResponseOrder {
    /// Sends by the priority that the client gave.
    case asAsked
    /// The client said nothing, so that the response takes turns with others.
    case inTurns
  }

  let id: StreamID
  /// The two halves. Changed for each packet, and by nothing that comes back here meanwhile, as the watch: no check for
  /// overlapping access, which took a hundredth of a download's time.
  @exclusivity(unchecked) var send = SendHalf()
  @exclusivity(unchecked) var receive = ReceiveHalf()
  /// Body bytes that wait to be sent or acknowledged.
  let sendBuffer = SendBuffer()
  /// Body bytes that were delivered and not given back by `consume` yet.
  var unconsumed = 0
  /// The response's content where repeats of it may come; nil where they may not.
  @exclusivity(unchecked) var assembly: RepeatAssembly?
  /// The request's wish for repeats, on a server.
  var repeatWish: RepeatTerms?
  /// The section that is being received, and its size as RFC 9114 § 4.2.2 counts it.
  var fields: [HeaderField] = []
  var fieldSectionSize = 0
  /// Interim responses so far; a server may send any number, so they are limited.
  var informationalCount = 0
  var order = ResponseOrder.asAsked
  /// The application error code that QUIC closed the stream with, if it did so with one.
  var closingCode: ApplicationErrorCode?
  /// The watch over the peer's message.
  @exclusivity(unchecked) var watch: MessageWatch?

  init(_ id: StreamID) {
    self.id = id
  }

  /// The part of `unconsumed` that the stream has brought, for which the peer gets credit when it is taken.
  var creditable: Int { max(0, unconsumed - (assembly?.early ?? 0)) }

  /// Whether bytes or the end of an HTTP/0.9 message wait to be sent.
  var hasMoreToSend: Bool { sendBuffer.hasUnsent || (sendBuffer.isFinished && !send.isEndSent) }
}
