import Dispatch
import Synchronization

/// A value that one thread waits for.
final class Answer<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let isSet = DispatchSemaphore(value: 0)

  func set(_ value: Value) {
    self.value.withLock { $0 = value }
    isSet.signal()
  }

  func get() -> Value {
    while true {
      isSet.wait()
      if let value = value.withLock({ $0 }) { return value }
    }
  }
}
