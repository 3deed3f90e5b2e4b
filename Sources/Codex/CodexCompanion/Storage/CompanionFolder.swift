package import StreamTransport

/// The folder in which the companion keeps what has to outlive it, closed to other users.
package struct CompanionFolder: Hashable, Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// `companion` in the folder that the programs keep theirs in.
  package init(in state: StateFolder) { path = state.path + "/companion" }

  package var devices: String { path + "/devices.json" }
  package var approvals: String { path + "/approvals.json" }
  package var auditLog: String { path + "/audit.jsonl" }
  /// The file of the projects that are hidden from devices.
  package var projects: String { path + "/projects.json" }
  /// The places up to which chats were mirrored to a runtime.
  package var mirror: String { path + "/mirror.json" }
  /// The file of the workspaces that are mirrored.
  package var mirrorPolicy: String { path + "/mirror-policy.json" }
  /// The log of the chats' events.
  package var events: String { path + "/events.sqlite" }
  /// The secret that session tickets are sealed with, so that devices resume after a restart.
  package var ticketSecret: String { path + "/ticket-secret" }
  /// The folder of the socket by which codex is reached.
  package var codex: String { path + "/codex" }
  package var controlSocket: String { path + "/control.sock" }

  /// Makes it where it is missing, and closes it. Throws ``StoreError``.
  package func make() throws(StoreError) {
    do {
      try PrivateFile.makeDirectory(path)
    } catch {
      throw StoreError(.inaccessible, "The state folder '\(path)' cannot be used: \(error.description).", cause: error)
    }
  }
}
