import Glibc
import ResolveKitCore

/// The private folder in which codex's socket and its log are.
package struct SocketFolder: Hashable, Sendable {
  /// `struct sockaddr_un` has room for that many bytes and a zero.
  private static let longestSocketPath = 107

  package let path: String

  package var socket: String { path + "/app-server.sock" }
  package var log: String { path + "/codex.log" }
  package var processNumber: String { path + "/codex.pid" }

  /// Makes the folder and those above it. One that is there must be ours and closed to others: who can put a socket there
  /// speaks in codex's place.
  /// - Throws: `AppServerError.Code.unusableFolder`.
  package init(_ path: String) throws(AppServerError) {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw AppServerError(
        .unusableFolder, "The folder of codex's socket, \(path.visibleJSON), is no absolute path; give one.")
    }
    self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard socket.utf8.count <= Self.longestSocketPath else {
      throw AppServerError(
        .unusableFolder,
        "The path of codex's socket, \(socket.visibleJSON), is longer than the \(Self.longestSocketPath) bytes that a socket may have; choose a folder with a shorter path."
      )
    }
    try Self.make(self.path)
    try check()
  }

  private static func make(_ path: String) throws(AppServerError) {
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      let part = String(path[..<end])
      guard mkdir(part, 0o700) == 0 || errno == EEXIST || errno == EISDIR || errno == EROFS else {
        throw AppServerError(
          .unusableFolder,
          "\(part.visibleJSON) cannot be made (\(String(cString: strerror(errno)))); choose another folder.")
      }
    }
  }

  private func check() throws(AppServerError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw AppServerError(.unusableFolder, "\(path.visibleJSON) is no folder; choose another one for codex's socket.")
    }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw AppServerError(
        .unusableFolder,
        "\(path.visibleJSON) belongs to another user or is open to others; run chmod 700 on it, or choose another folder."
      )
    }
  }
}
