import ResolveKitCore
package import ResolveKitSession
package import StreamTransport

/// The connection on one line: state, transport, round-trip time, attempt, next try, cause.
///
/// Such a line is printed when it has changed, and stays where it is. A line that is kept at the screen's edge would have to
/// be painted over for each piece of an answer: over SSH that flickers, in tmux it takes away from what is scrolled back
/// to, and a screen reader would read it again and again.
package struct TerminalStatus: Equatable {
  private let connection: ResolveKitConnectionUpdate
  private let transport: TransportKind?
  private let roundTrip: Duration?

  package init(_ connection: ResolveKitConnectionUpdate, _ snapshot: ConnectionSnapshot? = nil) {
    self.connection = connection
    transport = snapshot?.connection.transport ?? connection.transport
    roundTrip = snapshot?.roundTrip
  }

  package var line: String {
    var parts = [connection.state.rawValue]
    switch transport {
    case .http3?: parts.append("HTTP/3")
    case .http1?: parts.append("HTTP/1.1")
    case nil: break
    }
    if let roundTrip { parts.append("round trip \(Self.tenths(roundTrip / .milliseconds(1))) ms") }
    if connection.attempt > 0 { parts.append("attempt \(connection.attempt)") }
    if let next = connection.nextTry { parts.append("next try in \(Self.tenths(next / .seconds(1))) s") }
    if let reason = connection.reason { parts.append(TerminalText.line(reason)) }
    return "[\(parts.joined(separator: " · "))]"
  }

  /// Whether a person who knows `other` should see it: a small change of the round trip is not worth a line.
  func isNews(after other: TerminalStatus?) -> Bool {
    guard let other else { return true }
    guard connection == other.connection, transport == other.transport else { return true }
    guard let roundTrip, let before = other.roundTrip else { return roundTrip != nil }
    return roundTrip > before * 2 + .milliseconds(1) || before > roundTrip * 2 + .milliseconds(1)
  }

  private static func tenths(_ number: Double) -> String {
    guard number.isFinite, let tenths = Int(exactly: (max(0, number) * 10).rounded()) else { return "?" }
    return "\(tenths / 10).\(tenths % 10)"
  }
}
