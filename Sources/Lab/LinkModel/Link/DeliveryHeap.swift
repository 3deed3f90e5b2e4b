/// Packets by the time they are due, those of one time in the order they came: a binary heap of small keys, so that
/// sifting moves no packets.
struct DeliveryHeap: Sendable {
  private struct Key: Sendable {
    var due: Int64
    var order: UInt64
    var slot: Int

    func precedes(_ other: Key) -> Bool { due != other.due ? due < other.due : order < other.order }
  }

  private var keys: [Key] = []
  private var slots: [Delivery?] = []
  private var freeSlots: [Int] = []
  private var nextOrder: UInt64 = 0
  private(set) var bytes = 0

  var count: Int { keys.count }
  var nextDue: Int64? { keys.first?.due }

  mutating func insert(_ delivery: Delivery) {
    bytes += delivery.bytes.count
    let key = Key(due: delivery.due, order: nextOrder, slot: freeSlots.popLast() ?? slots.count)
    nextOrder += 1
    if key.slot == slots.count { slots.append(delivery) } else { slots[key.slot] = delivery }
    var index = keys.count
    keys.append(key)
    while index > 0 {
      let parent = (index - 1) / 2
      guard key.precedes(keys[parent]) else { break }
      keys[index] = keys[parent]
      index = parent
    }
    keys[index] = key
  }

  mutating func popFirst() -> Delivery? {
    guard let first = keys.first, let last = keys.popLast() else { return nil }
    if !keys.isEmpty { siftDown(last) }
    let delivery = slots[first.slot]
    slots[first.slot] = nil
    freeSlots.append(first.slot)
    bytes -= delivery?.bytes.count ?? 0
    return delivery
  }

  /// Puts a key into the hole at the root.
  private mutating func siftDown(_ key: Key) {
    var index = 0
    while true {
      var child = index * 2 + 1
      guard child < keys.count else { break }
      if child + 1 < keys.count, keys[child + 1].precedes(keys[child]) { child += 1 }
      guard keys[child].precedes(key) else { break }
      keys[index] = keys[child]
      index = child
    }
    keys[index] = key
  }
}
