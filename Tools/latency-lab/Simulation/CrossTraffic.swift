import HTTP3Engine

/// A download on a connection of its own that fills the link beside the streams. Its congestion control is QUIC's: a
/// simulation has no TCP.
struct CrossTraffic {
  private(set) var connection: SimulatedConnection?

  /// The number of a socket that the streams' connections do not reach.
  private static let socket = 99

  init(_ configuration: ClientConfiguration, random: RandomSource, at now: Int64) throws(HTTP3Error) {
    connection = try SimulatedConnection(socket: Self.socket, configuration, random: random, at: now)
  }

  mutating func handle(_ event: HTTP3Event) {
    switch event {
    case .handshakeCompleted:
      let path = StreamClientRules.downloadPath(Workload.Limits.downloadBytes)
      _ = try? connection?.engine.sendRequest(SimulatedConnection.fields("GET", path), endStream: true)
    case .bodyReceived(let id, let bytes): connection?.engine.consume(bytes.count, on: id)
    case .closed: connection = nil
    case .headersReceived, .messageCompleted, .streamReset, .settingsReceived, .informationalReceived,
      .trailersReceived, .stopSendingReceived, .bodyAcknowledged, .streamClosed, .requestBegan,
      .requestStreamsAvailable,
      .goAwayReceived, .ticketReceived, .newTokenReceived, .pathSuspected, .pathAnswered,
      .datagramReceived, .pathValidated, .pathValidationFailed:
      break
    }
  }
}
