import CTerminal
import Foundation

/// The size of the terminal that answers are shown on.
package enum TerminalSize {
  /// 80 where there is none, or it does not say.
  package static func columns() -> Int {
    var columns: CInt = 0
    var rows: CInt = 0
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] where cterminal_size(descriptor, &columns, &rows) {
      return Int(columns)
    }
    return 80
  }
}
