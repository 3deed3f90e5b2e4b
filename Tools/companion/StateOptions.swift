import ArgumentParser
import CodexCompanion
import Foundation
import StreamTransport

/// The folder of the companion's state, which names the companion.
struct StateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The companion's state folder, by default companion in $XDG_STATE_HOME/agent-stream or ~/.local/state/agent-stream.",
      valueName: "path"))
  var stateFolder: String?

  var folder: CompanionFolder {
    guard let stateFolder else {
      return CompanionFolder(in: StateFolder(environment: ProcessInfo.processInfo.environment))
    }
    return CompanionFolder(path: URL(filePath: stateFolder).standardizedFileURL.path(percentEncoded: false))
  }
}
