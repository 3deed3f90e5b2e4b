package import Foundation
import Glibc
package import ResolveKitCore
package import StreamTransport
import Synchronization

/// The decisions on tools that hold for longer than a session: listed, added, revoked.
///
/// Kept in a file for its owner alone, which is replaced as a whole. Several processes may share it: a change is made
/// under a lock to what the file holds then, and seen by the others with their next message. Nothing is allowed by a
/// file that cannot be read or that others may write.
public final class ResolveKitApprovalStore: Sendable {
  /// Decisions that are kept; one more is refused.
  public static let maximumApprovals = 1024
  /// Bytes of a file that is read; a full one of usual names takes less.
  static let maximumFileBytes = 4 << 20

  private let path: String?
  private let disk: Disk
  private let now: @Sendable () -> Date
  /// The decisions that no file holds: all without a path, else those that could not be written.
  private let unsaved = Mutex<[String: ResolveKitStandingApproval]>([:])

  /// Decisions that end with this process.
  public convenience init() {
    self.init(path: nil)
  }

  /// Decisions that are kept at `path`. The folder that it is in is made where it is missing, for its owner alone.
  public convenience init(file path: String) {
    self.init(path: path)
  }

  /// The default path of a program's own store: `$XDG_STATE_HOME/agent-stream/approvals-NAME`, or below
  /// `~/.local/state`, with the program's name.
  public static var standardPath: String {
    let name = ProcessInfo.processInfo.processName.split(separator: "/").last.map(String.init) ?? "app"
    return StateFolder(environment: ProcessInfo.processInfo.environment).path + "/approvals-\(name)"
  }

  package init(
    path: String?, disk: Disk = .system,
    now: @escaping @Sendable () -> Date = {
      Date(timeIntervalSince1970: TransportClock.continuous.timeOfDay() / .seconds(1))
    }
  ) {
    self.path = path
    self.disk = disk
    self.now = now
  }

  /// The current decisions, sorted by tool.
  public func approvals() throws(ResolveKitApprovalStoreError) -> [ResolveKitStandingApproval] {
    let kept = try path.map { path throws(ResolveKitApprovalStoreError) in try Self.read(path) } ?? ApprovalFile()
    let more = unsaved.withLock { $0 }
    return ApprovalFile(kept.approvals.filter { more[$0.id] == nil } + more.values).approvals
  }

  /// The decisions of this process alone; they hold also where the file cannot be read.
  package var unsavedApprovals: [ResolveKitStandingApproval] { unsaved.withLock { Array($0.values) } }

  /// Takes back a decision, so that a person is asked again. False if there is none of that id.
  ///
  /// A running session learns of it with its next message; of what is revoked through
  /// `ResolveKitRuntime.revokeToolApproval` at once.
  @discardableResult
  public func revoke(_ id: ResolveKitStandingApproval.ID) throws(ResolveKitApprovalStoreError) -> Bool {
    var isFound = unsaved.withLock { $0.removeValue(forKey: id) != nil }
    try change { file throws(ResolveKitApprovalStoreError) in
      guard let index = file.approvals.firstIndex(where: { $0.id == id }) else { return }
      file.approvals.remove(at: index)
      isFound = true
    }
    return isFound
  }

  /// Takes back every decision.
  public func revokeAll() throws(ResolveKitApprovalStoreError) {
    unsaved.withLock { $0 = [:] }
    try change { file throws(ResolveKitApprovalStoreError) in file.approvals = [] }
  }

  /// Keeps a decision in the place of an earlier one on the same tool. Where it throws, it is kept until this process
  /// ends.
  package func keep(_ approval: StandingApproval, server: String) throws(ResolveKitApprovalStoreError) {
    let entry = ResolveKitStandingApproval(
      id: approval.fingerprint, server: server, toolName: approval.toolName,
      verdict: ResolveKitStandingApproval.Verdict(text: approval.verdict.rawValue),
      decidedAt: Date(timeIntervalSince1970: now().timeIntervalSince1970.rounded(.down)))
    guard ToolFingerprint.isOne(entry.id) else {
      throw .inaccessible("Decisions on tools: '\(entry.id)' is no fingerprint of a tool.")
    }
    let isFull = unsaved.withLock { unsaved in
      guard unsaved.count < Self.maximumApprovals || unsaved[entry.id] != nil else { return true }
      unsaved[entry.id] = entry
      return false
    }
    if isFull { throw .full(Self.maximumApprovals) }
    guard path != nil else { return }
    try change { file throws(ResolveKitApprovalStoreError) in
      file.approvals.removeAll { $0.id == entry.id }
      guard file.approvals.count < Self.maximumApprovals else { throw .full(Self.maximumApprovals) }
      file = ApprovalFile(file.approvals + [entry])
    }
    unsaved.withLock { _ = $0.removeValue(forKey: entry.id) }
  }

  // MARK: The file

  private static func read(_ path: String) throws(ResolveKitApprovalStoreError) -> ApprovalFile {
    let bytes: [UInt8]
    do {
      bytes = try PrivateFile.read(path, limit: maximumFileBytes)
    } catch {
      if error.number == ENOENT { return ApprovalFile() }
      throw .inaccessible(error)
    }
    guard isPrivate(path) else { throw .notPrivate(path) }
    let file = ApprovalFile(bytes: bytes)
    if let version = file.namedVersion, version > ApprovalFile.version { throw .newerVersion(path, version) }
    return file
  }

  /// Whether nobody but this process's user, and root, can have written the file or can read it.
  private static func isPrivate(_ path: String) -> Bool {
    let file = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: file),
      let owner = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value,
      let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue
    else { return false }
    return owner == geteuid() && mode & 0o077 == 0
  }

  private func change(
    _ body: (inout ApprovalFile) throws(ResolveKitApprovalStoreError) -> Void
  ) throws(ResolveKitApprovalStoreError) {
    guard let path else { return }
    do {
      if let end = path.lastIndex(of: "/"), end > path.startIndex, !PrivateFile.isDirectory(String(path[..<end])) {
        try PrivateFile.makeDirectory(String(path[..<end]))
      }
      try PrivateFile.withLock(path + ".lock") {
        let old = try Self.read(path)
        var new = old
        try body(&new)
        guard new.approvals != old.approvals else { return }
        // What could not be read may be all that is left of a decision.
        if old.unreadableLines > 0 {
          let bytes = try PrivateFile.read(path, limit: Self.maximumFileBytes)
          try PrivateFile.write(bytes, to: path + ".damaged", disk: disk)
        }
        try PrivateFile.write(new.bytes, to: path, disk: disk)
      }
    } catch let failure as PrivateFile.Failure {
      throw .inaccessible(failure)
    } catch let error as ResolveKitApprovalStoreError {
      throw error
    } catch {
      throw .inaccessible("Decisions on tools: \(error).")
    }
  }
}
