import HTTP3Engine

extension HTTP3Event {
  /// One line without bodies.
  var summary: String {
    switch self {
    case .handshakeCompleted(let info): "handshake completed, resumed \(info.isResumed), early data \(info.earlyData)"
    case .bodyReceived(let id, let bytes): "stream \(id): \(bytes.count) bytes of body"
    case .headersReceived(let id, let fields):
      "stream \(id): \(fields.first.map { "\($0.name) \($0.value)" } ?? "none")"
    case .informationalReceived(let id, _): "stream \(id): interim response"
    case .trailersReceived(let id, _): "stream \(id): trailers"
    case .messageCompleted(let id): "stream \(id): message completed"
    case .streamReset(let id, let error): "stream \(id): \(error)"
    case .stopSendingReceived(let id, let code): "stream \(id): stopped, \(code)"
    case .bodyAcknowledged(let id, let buffered): "stream \(id): acknowledged but for \(buffered) bytes"
    case .requestBegan(let id): "stream \(id): opened"
    case .streamClosed(let id): "stream \(id): closed"
    case .ticketReceived: "ticket"
    case .newTokenReceived: "token"
    case .datagramReceived(let id, let bytes): "datagram \(id) of \(bytes.count) bytes"
    case .pathSuspected: "path suspect"
    case .pathValidated(let path): "path validated: \(path.local)"
    case .pathValidationFailed(let path): "path not validated: \(path.local)"
    case .pathAnswered: "path answers"
    case .settingsReceived: "settings"
    case .requestStreamsAvailable: "may send requests"
    case .goAwayReceived: "GOAWAY"
    case .closed(let error): "closed: \(error)"
    }
  }
}
