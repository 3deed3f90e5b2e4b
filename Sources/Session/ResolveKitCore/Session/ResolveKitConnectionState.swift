/// The life of the session's event stream.
public enum ResolveKitConnectionState: String, Hashable, Sendable, Codable, CaseIterable {
  /// Not started, or stopped.
  case idle
  /// Checking compatibility and registering functions.
  case registering
  /// The session is being created, or its stream opened for the first time.
  case connecting
  /// The stream is open.
  case active
  /// The stream was lost; it is tried again without an end.
  case reconnecting
  /// The stream is open again; `active` follows with the next event.
  case reconnected
  /// Given up; the reason was reported. Starting again is possible.
  case failed
  /// Refused: no valid key, an incompatible SDK version, or chat is not available to this app.
  case blocked

  /// Whether a message is posted at once.
  public var canSend: Bool { self == .active || self == .reconnected }
}
