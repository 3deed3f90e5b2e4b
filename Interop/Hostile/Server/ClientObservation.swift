import HTTP3Engine

/// The server's observations of a client in the connection that counts.
struct ClientObservation: Sendable, Equatable {
  var firstDatagram: Timestamp?
  var lastDatagram: Timestamp?
  /// The first CONNECTION_CLOSE with an error in it, and whether there was a graceful one.
  var connectionError: WireCode?
  var closedGracefully = false
  /// The first code with which the client gave up a request.
  var streamError: ApplicationErrorCode?
  /// The whole response was sent; and it was acknowledged.
  var hasAnswer = false
  var isAnswered = false
  /// Connections that were begun.
  var connections = 0
  /// The reason for which the case says nothing about this client.
  var inapplicable: String?

  /// Nothing more will change the verdict on the client.
  var isDecided: Bool { connectionError != nil || closedGracefully || inapplicable != nil }

  mutating func note(_ ending: QUICFrame) {
    switch ending {
    case .close(let close):
      let code = WireCode(isApplication: close.isApplication, value: close.code)
      if code.isGraceful { closedGracefully = true } else { connectionError = connectionError ?? code }
    // Of requests alone: streams of unknown types may be refused (RFC 9114 § 6.2).
    case .resetStream(let id, let code, _) where id % 4 == 0: note(streamError: code)
    case .stopSending(let id, let code) where id % 4 == 0: note(streamError: code)
    default: break
    }
  }

  private mutating func note(streamError code: UInt64) {
    guard code != ApplicationErrorCode.noError.rawValue else { return }
    streamError = streamError ?? ApplicationErrorCode(rawValue: code)
  }

  /// - Parameter succeeded: whether the client itself says so; nil where it was not asked.
  /// - Parameter isOver: whether the client is known to be gone.
  func outcome(succeeded: Bool?, isOver: Bool) -> CaseOutcome {
    if let connectionError { return .connectionError(connectionError) }
    if let streamError { return .streamError(streamError) }
    guard isOver || closedGracefully || isAnswered else { return .hanging }
    // What a client sends last need not acknowledge all that it has.
    return (isAnswered || (hasAnswer && closedGracefully)) && succeeded != false ? .success : .refusal
  }
}
