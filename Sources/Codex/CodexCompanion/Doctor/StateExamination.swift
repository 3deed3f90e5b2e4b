import Foundation
import Glibc

/// Whether the state folder is the user's own, closed to others, and of a length that sockets in it can have.
struct StateExamination {
  /// `struct sockaddr_un` has room for that many bytes and a zero.
  private static let longestSocketPath = 107

  private let folder: CompanionFolder

  init(_ folder: CompanionFolder) { self.folder = folder }

  var findings: [DoctorFinding] {
    let bad = ([length, rights] + files).compactMap(\.self)
    guard bad.isEmpty else { return bad }
    guard access(folder.path, F_OK) == 0 else {
      return [.good(.state, "The first start makes the state folder '\(folder.path)'.")]
    }
    return [.good(.state, "The state folder is '\(folder.path)', closed to other users.")]
  }

  private var length: DoctorFinding? {
    let longest = folder.codex + "/app-server.sock"
    guard longest.utf8.count > Self.longestSocketPath else { return nil }
    return .problem(
      .state, "'\(longest)' is longer than the \(Self.longestSocketPath) bytes that a socket's path may have.",
      remedy: "Name a shorter folder by --state-folder.")
  }

  private var rights: DoctorFinding? {
    var status = stat()
    guard stat(folder.path, &status) == 0 else {
      guard errno != ENOENT else { return nil }
      return .problem(
        .state, "'\(folder.path)' cannot be looked at: \(String(cString: strerror(errno))).",
        remedy: "Give the folders above it to yourself, or name another by --state-folder.")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return .problem(.state, "'\(folder.path)' is no folder.", remedy: "Remove it, or name another by --state-folder.")
    }
    guard status.st_uid == geteuid(), access(folder.path, R_OK | W_OK | X_OK) == 0 else {
      return .problem(
        .state, "'\(folder.path)' is another user's, or cannot be written.",
        remedy: "Run this as the user of the companion, or name another folder by --state-folder.")
    }
    guard status.st_mode & 0o077 == 0 else {
      return .warning(
        .state, "'\(folder.path)' is open to other users.",
        remedy: "chmod 700 '\(folder.path)'; the next start does it too. Look into it if others use this machine.")
    }
    return nil
  }

  /// The paths that are refused at the start where others may have changed them.
  private var files: [DoctorFinding?] {
    [folder.devices, folder.approvals, folder.projects, folder.auditLog, folder.codex].map { path in
      var status = stat()
      guard lstat(path, &status) == 0 else { return nil }
      guard status.st_uid != geteuid() || status.st_mode & 0o077 != 0 else { return nil }
      let mode = status.st_mode & S_IFMT == S_IFDIR ? "700" : "600"
      return .problem(
        .state, "'\(path)' belongs to another user or is open to others, who may have changed it.",
        remedy: "Look into it, then: chmod \(mode) '\(path)'")
    }
  }
}
