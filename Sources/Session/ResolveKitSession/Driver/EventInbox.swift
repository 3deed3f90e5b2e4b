package import ResolveKitCore

/// Events that wait for the turn machine. An event that an action causes at once, such as a policy's decision, waits until
/// all actions before it are done.
package struct EventInbox {
  private var waiting: [TurnEvent] = []
  private var isHandling = false

  package init() {}

  /// Takes an event. Returns whether the caller handles what waits; false while another caller does.
  package mutating func enter(_ event: TurnEvent) -> Bool {
    waiting.append(event)
    defer { isHandling = true }
    return !isHandling
  }

  /// The next event to handle; nil ends the handling.
  package mutating func next() -> TurnEvent? {
    guard waiting.isEmpty else { return waiting.removeFirst() }
    isHandling = false
    return nil
  }
}
