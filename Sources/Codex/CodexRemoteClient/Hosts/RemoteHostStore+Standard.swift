import Foundation
import StreamTransport

extension RemoteHostStore {
  /// `remote` in `$XDG_STATE_HOME/agent-stream`, or in `~/.local/state/agent-stream`.
  public static var standardFolder: String {
    StateFolder(environment: ProcessInfo.processInfo.environment).path + "/remote"
  }
}
