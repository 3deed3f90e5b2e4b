package import CodexWorkersClient

/// A runtime that this machine's Codex is mirrored to, and the worker that it is there.
package struct MirrorConfiguration: Sendable {
  package let client: WorkersClient
  /// The runtime's origin.
  package let server: String
  /// The worker's id.
  package let worker: String
  /// The e-mail address of the account that the worker belongs to: the policy is for each account.
  package let account: String

  package init(client: WorkersClient, server: String, worker: String, account: String) {
    self.client = client
    self.server = server
    self.worker = worker
    self.account = account
  }
}
