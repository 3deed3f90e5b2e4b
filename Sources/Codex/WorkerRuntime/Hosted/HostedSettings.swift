package import CodexAppServer
import Crypto
import Foundation
import JSONService

/// The configuration of codex beside a runtime.
package struct HostedSettings: Sendable {
  package let program: CodexProgram
  package let environment: [String: String]
  /// The folder whose `config.toml` and `auth.json` every hosted codex uses.
  package let codexHome: String
  /// Below it each worker has a folder of its own.
  package let folder: String
  /// Workers that are hosted at one time.
  package var limit = 8

  package init(program: CodexProgram, environment: [String: String], codexHome: String, folder: String) {
    self.program = program
    self.environment = environment
    self.codexHome = codexHome
    self.folder = folder
  }
}

/// The folders of one hosted worker.
struct HostedFolder: Sendable {
  private let path: String

  /// The path is short, whatever the worker is called: a digest of its id names it.
  init(_ id: WorkerID, in folder: String) {
    path = folder + "/" + Hexadecimal.text(SHA256.hash(data: Array(id.text.utf8)).prefix(8))
  }

  /// codex's home: its chats, and its configuration.
  var home: String { path + "/home" }
  /// Codex's working folder.
  var workspace: String { path + "/workspace" }
  /// The path of its log.
  var state: String { path + "/state" }

  /// Makes the folders, with links to the configuration of another home.
  func make(configuration: String) throws {
    let files = FileManager.default
    for folder in [home, workspace] {
      try files.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    for name in ["config.toml", "auth.json"] {
      let link = home + "/" + name
      let target = configuration + "/" + name
      guard files.fileExists(atPath: target), (try? files.attributesOfItem(atPath: link)) == nil else { continue }
      try files.createSymbolicLink(atPath: link, withDestinationPath: target)
    }
  }
}
