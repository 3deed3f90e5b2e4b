/// The limits on a connection to codex.
package struct AppServerLimits: Hashable, Sendable {
  /// The longest message in either direction, in bytes; a longer one that comes ends the connection. Codex itself takes no
  /// frame above 16 MiB.
  package var messageBytes = 16 << 20
  /// Requests that are open at codex at once. It starts to refuse and to lose them somewhere above a hundred.
  package var openCalls = 16
  /// Calls that wait for their turn.
  package var waitingCalls = 1_024
  /// The number of times that a request is sent while codex is overloaded, the first included.
  package var attempts = 6
  /// The longest wait before the second attempt; it doubles with each that follows.
  package var firstWait = Duration.milliseconds(100)
  /// No wait between two attempts is longer.
  package var longestWait = Duration.seconds(5)
  /// Unread bytes above which codex is not read while no call is open. It then keeps what it has to say.
  package var unreadBytes = 4 << 20
  /// The same while a call is open: its answer comes behind what is unread.
  package var unreadBytesInCalls = 64 << 20
  /// The memory that one message takes besides its bytes, as the two limits above count it.
  package var bytesPerMessage = 512

  package init() {}
}
