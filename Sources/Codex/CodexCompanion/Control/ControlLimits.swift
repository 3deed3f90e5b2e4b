/// The limits that one side of the control socket sets for the other.
package struct ControlLimits: Hashable, Sendable {
  /// The longest command, without its line end.
  package var commandBytes = 64 << 10
  /// The longest reply, without its line end.
  package var replyBytes = 1 << 20
  /// Connections at one time; others are closed.
  package var connections = 8
  /// From the connection to the end of the command.
  package var commandTime = Duration.seconds(5)
  /// From the command to its reply.
  package var answerTime = Duration.seconds(30)
  /// From the reply to the moment when the other side has taken it.
  package var replyTime = Duration.seconds(5)

  package init() {}

  /// The longest that a client waits, from the connection to the end of the reply.
  var clientTime: Duration { commandTime + answerTime + replyTime }
}
