package import ResolveKitCore

/// Whether changes of files are made.
package enum AppServerFileChangeDecision: String, AppServerReply {
  case accept
  /// They are made, and changes to these paths are not asked about again while the thread is loaded.
  case acceptForSession
  /// They are not made, and the turn goes on.
  case decline
  /// They are not made, and the turn ends as interrupted; the item never completes.
  case cancel

  package var result: JSONValue { ["decision": .string(rawValue)] }
}
