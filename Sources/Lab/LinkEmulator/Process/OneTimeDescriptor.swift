import CLinux
import Synchronization

/// A descriptor that is closed once, from any thread: explicitly or with its last reference.
final class OneTimeDescriptor: Sendable {
  private let open: Mutex<CInt?>

  init(_ number: CInt) { open = Mutex(number) }

  /// -1 once it is closed.
  var number: CInt { open.withLock { $0 ?? -1 } }

  func close() {
    open.withLock { number in
      if let number { clinux_close(number) }
      number = nil
    }
  }

  deinit { close() }
}
