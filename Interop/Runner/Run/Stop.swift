import Dispatch
import Foundation
import Synchronization

/// Ctrl-C and SIGTERM: what runs is ended, what is there is written.
final class Stop: Sendable {
  /// The interval at which waiting threads look.
  static let pollSeconds = 0.2

  private let count = Atomic<Int>(0)

  var isSet: Bool { count.load(ordering: .relaxed) > 0 }

  func set() { count.add(1, ordering: .relaxed) }

  /// From here on the signals do not end this process at once, but the second one does; everything it started ends with
  /// it. Ends with what is answered.
  func watch(
    say: @escaping @Sendable (String) -> Void, leaving: @escaping @Sendable () -> Void
  ) -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in
        if isSet {
          leaving()
          exit(130)
        }
        set()
        say("interrupted; ending what runs and writing what is there. Once more to leave at once.")
      }
      source.activate()
      return source
    }
  }
}
