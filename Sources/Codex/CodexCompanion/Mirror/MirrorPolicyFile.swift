import Glibc
import ResolveKitCore
import StreamTransport

/// The mirror's policy on disk: changed by commands, read again by the running companion.
package struct MirrorPolicyFile: Sendable {
  private static let maximumBytes = 4 << 20

  private let path: String

  package init(path: String) { self.path = path }

  /// The policy; that of a missing file mirrors nothing. Throws ``StoreError``.
  package func read() throws(StoreError) -> MirrorPolicy {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT else { throw unreadable("\(String(cString: strerror(errno)))") }
      return MirrorPolicy()
    }
    guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw StoreError(
        .notPrivate,
        "'\(path)' is open to other users; look into it, then give it to yourself alone: chmod 600 '\(path)'.")
    }
    let bytes: [UInt8]
    do {
      bytes = try PrivateFile.read(path, limit: Self.maximumBytes)
    } catch {
      throw StoreError(.inaccessible, "\(error.description).", cause: error)
    }
    guard let members = (try? JSONValue(parsing: bytes))?.objectValue, let policy = MirrorPolicy(members) else {
      throw unreadable("it is no policy of this version")
    }
    return policy
  }

  /// Changes the policy under a lock. Throws ``StoreError``.
  package func change(_ body: (inout MirrorPolicy) -> Bool) throws(StoreError) {
    do {
      try PrivateFile.withLock(path + ".lock") {
        var policy = try read()
        guard body(&policy) else {
          throw StoreError(
            .full, "\(MirrorPolicy.maximumEntries) workspaces are mirrored already; switch some off that need not be.")
        }
        try PrivateFile.write(policy.json.serialized() + [UInt8(ascii: "\n")], to: path)
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.inaccessible, "The policy cannot be changed: \(error).", cause: error)
    }
  }

  private func unreadable(_ reason: String) -> StoreError {
    StoreError(
      .damaged, "'\(path)' cannot be read: \(reason). Nothing is mirrored; restore it, or remove it to switch all off.")
  }
}
