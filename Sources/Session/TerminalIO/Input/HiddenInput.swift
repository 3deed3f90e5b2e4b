import CTerminal
import Foundation

/// Typing that a terminal doesn't show, such as a key.
package enum HiddenInput {
  /// Runs `body` while the terminal of standard input shows nothing of what is typed; the modes come back however that
  /// ends, by Ctrl-C too. Where standard input is no terminal there is nothing to hide.
  package nonisolated(nonsending) static func during<Value>(_ body: () async -> Value) async -> Value {
    let isHidden = cterminal_hide_input(STDIN_FILENO) == 0
    defer { if isHidden { cterminal_release() } }
    return await body()
  }
}
