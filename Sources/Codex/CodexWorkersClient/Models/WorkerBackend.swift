/// The Codex that a runtime hosts for a worker, as the runtime describes it.
public struct WorkerBackend: Hashable, Sendable {
  /// The backend's name, never empty.
  public let name: String
  /// `starting`, `ready`, `restarting` or `failed`, or another word of a later runtime.
  public let health: String?
  /// The backend's version, as it writes it; nil where it says none.
  public let version: String?

  /// Nil where no backend is named.
  init?(_ fields: WireObject) {
    guard let name = fields.word("name") else { return nil }
    self.name = name
    health = fields.word("health")
    version = fields.word("version")
  }
}
