import CodexRemoteClient
import TerminalIO

/// Turns a chat's updates, and the results of commands, into what is written. Pure, so that tests compare strings.
protocol ChatRenderer {
  /// - Parameter isOwn: whether a message was sent by this program, whose screen has it already.
  mutating func render(_ update: RemoteUpdate, isOwn: (String) -> Bool) -> [TerminalOutput]
  mutating func render(_ reply: CommandReply, of command: String) -> [TerminalOutput]
}
