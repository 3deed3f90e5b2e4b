import Foundation

/// `$XDG_STATE_HOME/agent-stream`, or `~/.local/state/agent-stream`: what the programs keep between their runs.
package struct StateFolder: Sendable {
  package let path: String

  /// A relative path in the variable is ignored (XDG Base Directory Specification).
  package init(environment: [String: String]) {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      path = state + "/agent-stream"
    } else {
      let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
      path = home + "/.local/state/agent-stream"
    }
  }

  /// Makes the folder for its owner alone; returns its path.
  package func make() throws -> String {
    let owner: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: owner)
    try FileManager.default.setAttributes(owner, ofItemAtPath: path)
    return path
  }
}
