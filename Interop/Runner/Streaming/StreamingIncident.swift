/// An incident while the events flow.
struct StreamingIncident: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// Nothing passes in either direction, and neither end is notified.
    case silence(milliseconds: Double)
    /// UDP passes no more, and neither end is notified.
    case loseUDP
    /// The client's address is taken away, and it has another one on the same link.
    case moveClient
    /// The server ends gracefully, on SIGTERM or the signal that it has for that; a new process then takes its place.
    case replaceServer
    /// The server gets SIGKILL, and a new process takes its place.
    case killServer
  }

  /// From the moment at which the first event is due.
  var atMilliseconds: Double
  var action: Action
}
