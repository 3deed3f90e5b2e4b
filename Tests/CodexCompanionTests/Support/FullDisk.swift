import Glibc
import StreamTransport
import Synchronization

/// A disk on which no byte finds room from a moment on.
final class FullDisk: Sendable {
  private let isFull = Mutex(false)

  func fill() { isFull.withLock { $0 = true } }

  var disk: Disk {
    Disk(
      write: { [self] descriptor, bytes in
        guard isFull.withLock({ $0 }) else { return Disk.system.write(descriptor, bytes) }
        errno = ENOSPC
        return -1
      },
      synchronize: Disk.system.synchronize)
  }
}
