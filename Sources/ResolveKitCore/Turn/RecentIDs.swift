/// The last ids seen, compared as bytes, in bounded memory.
struct RecentIDs: Equatable, Sendable {
  private let capacity: Int
  private var members: Set<[UInt8]> = []
  private var order: [[UInt8]] = []
  /// Where the next id goes once `order` is full.
  private var next = 0

  init(capacity: Int) { self.capacity = max(capacity, 1) }

  func contains(_ id: String) -> Bool { members.contains(Array(id.utf8)) }

  /// Remembers an id, forgetting the oldest beyond the capacity. False if it was there already.
  @discardableResult
  mutating func insert(_ id: String) -> Bool {
    let bytes = Array(id.utf8)
    guard members.insert(bytes).inserted else { return false }
    if order.count < capacity {
      order.append(bytes)
    } else {
      members.remove(order[next])
      order[next] = bytes
      next = (next + 1) % capacity
    }
    return true
  }

  mutating func removeAll() {
    members.removeAll()
    order.removeAll()
    next = 0
  }
}
