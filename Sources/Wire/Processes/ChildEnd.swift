import Glibc

/// The end of a child process, and its use of the machine, which its parent learns at no other time.
package struct ChildEnd: Sendable {
  /// The exit status, or 128 and the number of the signal that ended it, as a shell has it.
  package var status: Int32
  /// The resources that the child used, with its own children that it waited for.
  package var usage: ResourceUsage

  /// Takes a child's end.
  ///
  /// - Parameter waits: whether it is waited for.
  /// - Returns: nil where it has not ended, or another has taken its end.
  package init?(of process: Int32, waits: Bool) {
    var status: Int32 = 0
    var used = rusage()
    var answer: pid_t = 0
    repeat { answer = wait4(process, &status, waits ? 0 : WNOHANG, &used) } while answer < 0 && errno == EINTR
    guard answer == process else { return nil }
    let signal = status & 0x7F
    self.status = signal == 0 ? status >> 8 & 0xFF : 128 + signal
    usage = ResourceUsage(used)
  }
}
