/// The earliest of many deadlines: a binary heap whose stale entries are skipped when they come up.
struct DeadlineQueue<Key: Hashable> {
  private var heap: [(deadline: Timestamp, key: Key)] = []
  private var current: [Key: Timestamp] = [:]

  /// Sets or, with nil, removes the deadline of `key`.
  mutating func set(_ deadline: Timestamp?, for key: Key) {
    guard current[key] != deadline else { return }
    current[key] = deadline
    guard let deadline else { return }
    heap.append((deadline, key))
    siftUp(heap.count - 1)
    // Keys whose deadline moves often leave stale entries: rebuilt before they outweigh the live ones.
    if heap.count > 64, heap.count > current.count * 4 { rebuild() }
  }

  var earliest: Timestamp? {
    mutating get {
      dropStale()
      return heap.first?.deadline
    }
  }

  /// Takes one key whose deadline has come.
  mutating func popDue(at now: Timestamp) -> Key? {
    dropStale()
    guard let first = heap.first, first.deadline <= now else { return nil }
    current[first.key] = nil
    removeFirst()
    return first.key
  }

  private mutating func dropStale() {
    while let first = heap.first, current[first.key] != first.deadline { removeFirst() }
  }

  private mutating func rebuild() {
    heap = current.map { ($0.value, $0.key) }.sorted { $0.0 < $1.0 }
  }

  private mutating func removeFirst() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [parent * 2 + 1, parent * 2 + 2]
      where child < heap.count && heap[child].deadline < heap[least].deadline { least = child }
      guard least != parent else { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].deadline < heap[parent].deadline else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }
}
