import CodexRemoteClient

extension RemoteChatState {
  /// The messages that a program which ends leaves unsent, as failed.
  var unsent: [RemoteOutgoing] {
    outgoing.filter(\.isPending).map { message in
      var message = message
      message.fail(.network, reason: "The program ended before it was sent.")
      return message
    }
  }
}
