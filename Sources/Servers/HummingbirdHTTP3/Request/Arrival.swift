/// The way by which a request came.
struct Arrival: Sendable {
  var transport: AccessRecord.Transport
  /// Whether the connection resumed a TLS session; nil where that is not known.
  var isResumed: Bool?
  /// Whether the request came as early data of this server's own connection.
  var isEarlyData = false
  /// The counts of its content; nil where no access log asks for them.
  var traffic: ExchangeTraffic?

  init(_ transport: AccessRecord.Transport) {
    self.transport = transport
  }
}
