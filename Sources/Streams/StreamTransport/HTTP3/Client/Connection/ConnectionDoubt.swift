import HTTP3Engine

/// A suspected cause of a connection's failure that the next one can do without: ECN marks, or a session ticket.
struct ConnectionDoubt {
  enum Suspect: Hashable {
    case ecn
    case ticket
  }

  private enum State {
    /// No response has shown that the server can read what this connection sends.
    case unproven
    case proven
    case failed(Suspect)
  }

  private let usesECN: Bool
  private var state = State.unproven

  init(usesECN: Bool) {
    self.usesECN = usesECN
  }

  /// Whether another attempt, without the suspect, may do better.
  var isWorthAnother: Bool {
    switch state {
    case .unproven, .proven: false
    case .failed: true
    }
  }

  /// The server answered a request.
  mutating func responded() {
    if case .unproven = state { state = .proven }
  }

  /// The connection was closed; what is to be left out of the next one, nil for nothing.
  mutating func closed(by error: HTTP3Error) -> Suspect? {
    let suspect: Suspect
    switch (error.code, state) {
    case (.earlyDataRetry, _): suspect = .ticket
    case (_, .unproven) where usesECN && error.mayBeOfECN: suspect = .ecn
    default: return nil
    }
    state = .failed(suspect)
    return suspect
  }
}

extension HTTP3Error {
  /// Whether a server that knows no ECN may have meant it: the error that RFC 9000 § 12.4 asks for at an unknown frame,
  /// that of a frame out of place, and what nginx says.
  fileprivate var mayBeOfECN: Bool {
    guard side == .remote, case .transport(let code) = code else { return false }
    return [.internalError, .frameEncodingError, .protocolViolation].contains(code)
  }
}
