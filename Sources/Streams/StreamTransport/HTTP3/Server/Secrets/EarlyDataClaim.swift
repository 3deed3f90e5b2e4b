import Glibc

/// The right to take early data with tickets that other servers open too, which one server at a time has: each remembers only
/// what it has taken itself, so that two would take what is replayed to both.
///
/// It is a lock beside the secrets' file, which ends with the process; on a network file system it is worth what the locks
/// there are.
final class EarlyDataClaim: Sendable {
  private let descriptor: Int32

  /// Nil where another has it, or the lock cannot be made.
  init?(for file: SecretFile) {
    let descriptor = open(file.target + ".early-data", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit {
    // A process that is being started has a copy of the descriptor until its program runs, and would keep the lock.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
