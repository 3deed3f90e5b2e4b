import Glibc
import ResolveKitCore

/// The program codex on this machine.
package struct CodexProgram: Hashable, Sendable {
  /// An absolute path.
  package let path: String

  /// Looks for a program on the `PATH` of an environment, or takes a path with a slash as it is.
  /// - Throws: `AppServerError.Code.notFound`.
  package init(_ name: String = "codex", environment: [String: String]) throws(AppServerError) {
    if name.contains("/") {
      guard Self.isExecutable(name), let path = Self.absolute(name) else {
        throw AppServerError(.notFound, "\(name.visibleJSON) is no program that can be run; give the path of codex.")
      }
      self.path = path
      return
    }
    guard let path = Self.find(name, environment) else {
      throw AppServerError(
        .notFound,
        "There is no program \(name.visibleJSON) on the PATH; install Codex \(CodexVersion.oldest) or newer, or give its path."
      )
    }
    self.path = path
  }

  /// The path of bubblewrap, which codex's sandbox runs; nil where there is none. Each sandboxed command fails then.
  package func bubblewrap(environment: [String: String]) -> String? {
    if let path = Self.find("bwrap", environment) { return path }
    // A packaged codex brings its own along.
    guard let folder = Self.absolute(path).flatMap(Self.parent).flatMap(Self.parent) else { return nil }
    let packaged = folder + "/codex-resources/bwrap"
    return Self.isExecutable(packaged) ? packaged : nil
  }

  private static func parent(_ path: String) -> String? {
    path.lastIndex(of: "/").map { String(path[..<$0]) }
  }

  private static func find(_ name: String, _ environment: [String: String]) -> String? {
    let folders = (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
    return folders.map { "\($0)/\(name)" }.first(where: isExecutable)
  }

  private static func absolute(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
