/// The limits on what one chat may make this program hold.
struct RemoteChatLimits: Hashable, Sendable {
  var entries = 2_000
  /// Bytes of text in all entries.
  var bytes = 32 << 20
  /// Bytes of one message.
  var text = RemoteEntry.longestText
  var approvals = 256
  var outgoing = 64
  /// Attempts to send one message to a companion that is there and fails, or one answer.
  var attempts = 12
}
