import TransportPolicy

extension RaceSide {
  /// What the two racing transports are called in reasons and errors.
  var transportName: String {
    switch self {
    case .first: "HTTP/3"
    case .second: "HTTP/1.1"
    }
  }
}

extension RaceOutcome {
  /// In words, such as "HTTP/3 failed: … HTTP/1.1 connected after 23 ms".
  func description(handshake: Duration) -> String {
    let milliseconds = (handshake / Duration.milliseconds(1)).rounded()
    return description(
      first: RaceSide.first.transportName, second: RaceSide.second.transportName,
      detail: " after \(Int(exactly: milliseconds) ?? 0) ms")
  }
}
