/// The end of a ``ResolveKitTerminalView``.
public enum ResolveKitTerminalEnding: Equatable, Sendable {
  /// The person left, or the one answer that was asked for is complete.
  case done
  /// The one answer that was asked for has failed, or took longer than allowed.
  case turnFailed
  /// A person's Ctrl-C.
  case interrupted
  /// There was no session within the time allowed, or the connection was given up.
  case cannotConnect
  /// Refused: no valid key, an incompatible version, or chat is not available to this app.
  case blocked
  /// The configuration can't be used, such as its base URL.
  case misconfigured
}
