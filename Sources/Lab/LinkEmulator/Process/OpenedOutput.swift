import CLinux
import Foundation

/// The descriptor that a process's output goes to, closed here if it was opened here.
struct OpenedOutput: ~Copyable {
  /// -1 for `/dev/null`.
  let number: CInt
  private let isOwned: Bool

  init(_ output: NamespacedCommand.Output, inherited: CInt) throws(EmulatorError) {
    switch output {
    case .discarded:
      number = -1
      isOwned = false
    case .inherited:
      number = inherited
      isOwned = false
    case .descriptor(let descriptor):
      number = descriptor
      isOwned = false
    case .file(let path):
      // Appending, so that two outputs of one file do not overwrite each other.
      number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
      isOwned = true
      guard number >= 0 else {
        throw EmulatorError(
          .file, "The file '\(path)' for a program's output can't be written; see its folder and permissions.",
          cause: SystemCallError("open", answer: -errno))
      }
    }
  }

  deinit { if isOwned, number >= 0 { clinux_close(number) } }
}
