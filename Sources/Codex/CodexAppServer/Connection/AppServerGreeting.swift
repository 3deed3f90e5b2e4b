package import ResolveKitCore

/// Codex's description of itself.
package struct AppServerGreeting: Hashable, Sendable {
  /// Such as `companion/0.163.0 (Debian 12.0.0; x86_64) …`; empty where it gives none.
  package let userAgent: String
  /// The folder of its configuration and threads.
  package let home: String
  package let platform: String

  package init(_ json: JSONValue) {
    let members = json.objectValue ?? [:]
    userAgent = members["userAgent"]?.stringValue ?? ""
    home = members["codexHome"]?.stringValue ?? ""
    platform = members["platformOs"]?.stringValue ?? ""
  }

  /// Codex's version; nil where it gives none that can be read.
  package var version: CodexVersion? {
    guard let slash = userAgent.firstIndex(of: "/") else { return nil }
    return CodexVersion(userAgent[userAgent.index(after: slash)...].prefix { $0 != " " })
  }
}
