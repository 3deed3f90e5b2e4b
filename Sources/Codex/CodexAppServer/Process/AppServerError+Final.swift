extension AppServerError {
  /// Whether another attempt would end the same way.
  var isFinal: Bool {
    switch code {
    case .tooOld, .notFound, .unusableFolder, .protocolViolation: true
    case .refused, .timedOut, .tooManyCalls, .unreachable, .connectionLost, .closed, .malformed, .tooLarge,
      .startFailed:
      false
    }
  }
}
