/// Whether and where a runtime keeps its sessions, so that they outlive the process.
///
/// With a journal no tool is started twice, whatever ends the process; the conversation continues where it was, and what
/// waits for a person's decision is asked about again. Only one process at a time can have a session open.
public struct ResolveKitJournalConfiguration: Hashable, Sendable {
  /// The session that a start restores.
  public enum Resumption: Hashable, Sendable {
    /// Creates a session, or uses the one that the server reuses.
    case none
    /// The one that was used last with this server and is not in use; where there is none, as `none`.
    case latest
    /// The one of this id. The start fails where there is no journal of it.
    case session(String)
  }

  /// The folder with one journal for each session.
  public var folder: ResolveKitJournalFolder
  /// The session that the next start continues.
  public var resumption: Resumption

  /// Creates a configuration that continues the session of this folder that was used last.
  public init(
    folder: ResolveKitJournalFolder = ResolveKitJournalFolder(), resumption: Resumption = .latest
  ) {
    self.folder = folder
    self.resumption = resumption
  }
}
