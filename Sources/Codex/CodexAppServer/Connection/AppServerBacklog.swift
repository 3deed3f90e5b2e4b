import ResolveKitCore

/// Codex's messages that nobody has read yet, and whether more are to be taken from it.
struct AppServerBacklog {
  private let limits: AppServerLimits
  private var events: [(event: AppServerEvent, size: Int)] = []
  private var head = 0
  private var bytes = 0

  init(limits: AppServerLimits) {
    self.limits = limits
  }

  mutating func append(_ event: AppServerEvent, bytes count: Int) {
    let size = count + limits.bytesPerMessage
    events.append((event, size))
    bytes += size
  }

  mutating func popFirst() -> AppServerEvent? {
    guard head < events.count else { return nil }
    let (event, size) = events[head]
    // The place is kept until many can be given back at once, but not what stood in it.
    events[head] = (.placeholder, 0)
    head += 1
    bytes -= size
    if head == events.count {
      events.removeAll(keepingCapacity: head < 1_024)
      head = 0
    } else if head >= 64, head > events.count / 2 {
      events.removeFirst(head)
      head = 0
    }
    return event
  }

  /// Whether codex is to be read. While a call is open more is let in: its answer comes behind what is unread, and who
  /// makes the call may be who reads.
  func hasRoom(inCalls: Bool) -> Bool {
    bytes < (inCalls ? limits.unreadBytesInCalls : limits.unreadBytes)
  }
}

extension AppServerEvent {
  fileprivate static let placeholder = AppServerEvent.notification(AppServerNotification(method: "", params: .null))
}
