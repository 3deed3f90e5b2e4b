import HTTP3Engine
public import HTTPTypes

/// One request on an HTTP/3 server and the means to answer it.
///
/// The task that handles it is cancelled when the client resets the stream or the connection ends. A handler that
/// returns before ``finish(trailers:)`` resets the stream, so that a body which is cut short never looks complete.
public final class HTTP3ServerExchange: Sendable {
  /// The request's fields; a valid method, scheme, authority and path are among them.
  public let request: HTTPRequest
  /// The request's body, as it arrives.
  public let body: ResponseBody
  /// The client's address and port.
  public let remoteAddress: String
  /// The request's `x-request-id`, or one that was made for it.
  public let requestID: String
  /// Names the connection; the same for all of its requests.
  public let connectionID: UInt64

  /// Whether the request came as early data (0-RTT) before the handshake was complete: an observer on the network may have sent it
  /// again (RFC 8470).
  ///
  /// Only safe requests get this far. A handler that must not answer one twice responds with 425 (Too Early), on which
  /// the client sends the request again after the handshake.
  public let isEarlyData: Bool

  /// The certificate by which the client has proved who it is; nil where the server asks for none, or only requests one
  /// (``HTTP3ServerConfiguration/clientCertificates``) and the client has none.
  public let clientCertificate: ClientCertificate?

  /// Whether the connection resumed an earlier one's TLS session.
  package let isResumed: Bool

  private let driver: HTTP3ServerDriver
  private let place: ExchangePlace
  private let outbox: BodyOutbox

  init(
    request: HTTPRequest, requestID: String, body: ResponseBody, remoteAddress: String, isEarlyData: Bool,
    isResumed: Bool, clientCertificate: ClientCertificate?, driver: HTTP3ServerDriver, place: ExchangePlace,
    outbox: BodyOutbox
  ) {
    self.request = request
    self.requestID = requestID
    self.body = body
    self.remoteAddress = remoteAddress
    self.isEarlyData = isEarlyData
    self.isResumed = isResumed
    self.clientCertificate = clientCertificate
    connectionID = place.connection.rawValue
    self.driver = driver
    self.place = place
    self.outbox = outbox
  }

  /// The reason for which the client gets no more of an unfinished response; nil while it does.
  package var failure: TransportError? { outbox.failure }

  /// Sends an interim response (1xx), such as 103 with `link` fields, before the final one.
  ///
  /// Throws ``TransportError``, with `invalidRequest` for a status outside 1xx and for 101, which HTTP/3 does not have
  /// (RFC 9114 § 4.5).
  public func sendInformational(_ response: HTTPResponse) async throws {
    guard response.status.kind == .informational, response.status.code != 101 else {
      throw TransportError(
        .invalidRequest, "Status \(response.status.code) is no interim response; they are 100 and 102 to 199.")
    }
    try await driver.sendInformational(FieldMapping.section(for: response), on: place)
  }

  /// Sends 100 (Continue), which a final response that was sent makes needless.
  package func sendContinue() {
    outbox.askForBody()
  }

  /// Sends the final response's fields, without a wait. Throws ``TransportError`` when the client is known to be gone.
  public func respond(_ response: HTTPResponse) async throws {
    try outbox.begin(FieldMapping.section(for: response))
  }

  /// Sends body bytes; waits while too many wait to be acknowledged. Throws ``TransportError`` when the client is known
  /// to be gone, `CancellationError` when the task is cancelled while it waits.
  public func write(_ bytes: [UInt8]) async throws {
    guard !bytes.isEmpty else { return }
    try await outbox.write(bytes)
  }

  /// Ends the response, with trailers where there are some to send (RFC 9110 § 6.5); what was written before leaves first.
  ///
  /// Does not wait for that. Throws ``TransportError`` when the client is known to be gone.
  public func finish(trailers: HTTPFields? = nil) async throws {
    try outbox.finish(trailers.map(FieldMapping.fields))
  }

  /// Gives the exchange up with H3_INTERNAL_ERROR.
  public func reset() async {
    await driver.reset(place, code: .internalError)
  }
}

/// One stream of one connection.
struct ExchangePlace: Hashable, Sendable {
  var connection: ConnectionKey
  var stream: StreamID
}
