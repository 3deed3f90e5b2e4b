import Foundation

/// Where the backend inside this program keeps its log, key and certificate.
enum StateDirectory {
  /// `$XDG_STATE_HOME/agent-stream`, or `~/.local/state/agent-stream` (XDG Base Directory Specification: a relative
  /// path in the variable is ignored).
  static func path(environment: [String: String]) -> String {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return URL(filePath: state).appending(path: "agent-stream").path
    }
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    return URL(filePath: home).appending(path: ".local/state/agent-stream").path
  }

  /// Makes the folder, for its owner only.
  static func make(environment: [String: String]) throws -> String {
    let path = path(environment: environment)
    let owner: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: owner)
    try FileManager.default.setAttributes(owner, ofItemAtPath: path)
    return path
  }
}
