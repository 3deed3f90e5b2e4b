import Foundation

/// Holds a thread, as a terminal does that nobody types at.
final class TypingGate: @unchecked Sendable {
  // Proof: `text` is only touched with the condition's lock held.
  private let condition = NSCondition()
  private var text: String?

  func wait() -> String? {
    condition.lock()
    defer { condition.unlock() }
    while text == nil { condition.wait() }
    return text
  }

  func open(_ text: String) {
    condition.lock()
    self.text = text
    condition.broadcast()
    condition.unlock()
  }
}
