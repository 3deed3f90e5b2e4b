/// An incident while the events flow.
struct StreamingIncident: Hashable, Sendable {
  enum Action: Hashable, Sendable {
    /// Nothing passes in either direction, and nobody is told.
    case silence(milliseconds: Double)
    /// UDP passes no more, and nobody is told.
    case loseUDP
    /// The client's address is taken away, and it has another one on the same link.
    case moveClient
    /// The server is told to end in good order, by SIGTERM or the signal that it has for that; when it has ended, a new process takes its place.
    case replaceServer
    /// The server gets SIGKILL, and a new process takes its place.
    case killServer
  }

  /// From the moment at which the first event is due.
  var atMilliseconds: Double
  var action: Action
}
