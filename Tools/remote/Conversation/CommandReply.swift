import CodexRemoteClient
import ResolveKitCore

/// The result of a command: lines for a person, an object's members for a program.
struct CommandReply {
  /// The answer, line by line.
  var lines: [String] = []
  /// Words on what was done.
  var note: String?
  /// Entries of the chat, where they were asked for.
  var entries: [RemoteEntry]?
  var members: JSONObject = [:]
  /// The reason for which it was not done.
  var failure: RemoteError?
}
