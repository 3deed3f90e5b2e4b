import Dispatch
import HTTP3Engine

/// Calls a function after a time; tests give one that they let go off.
package struct Alarm: Sendable {
  /// Takes the time and the function.
  package let set: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  package init(_ set: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void) {
    self.set = set
  }

  /// Runs on a thread of its own, which a serial queue has even where the threads that tasks share are all blocked.
  package static let system = Alarm { [queue = DispatchQueue(label: "alarm")] time, body in
    let time = DispatchTimeInterval.nanoseconds(Int(clamping: time.nanosecondsClamped))
    queue.asyncAfter(deadline: .now() + time, execute: body)
  }
}
