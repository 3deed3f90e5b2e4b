/// Deadlines by owner, the earliest on top: a binary heap with each owner's place in it, so that a deadline that
/// moves with every packet leaves nothing behind.
///
/// Owners are numbers and not of a generic type: event loops of another module look at it in each turn, and unspecialised
/// access through generic metadata took a tenth of the instructions of an event's delivery, and a quarter where it is read
/// on the loop's thread (`bench transport --only sparse`).
package struct DeadlineQueue {
  private struct Entry {
    var deadline: Timestamp
    var owner: UInt64
  }

  private var heap: [Entry] = []
  private var places: [UInt64: Int] = [:]

  package init() {}

  /// The next deadline of all; nil when there is none.
  package var earliest: Timestamp? { heap.first?.deadline }
  package var count: Int { heap.count }

  /// Sets or moves the owner's deadline; nil removes it.
  package mutating func set(_ deadline: Timestamp?, for owner: UInt64) {
    guard let deadline else {
      if let place = places[owner] { remove(at: place) }
      return
    }
    if let place = places[owner] {
      heap[place].deadline = deadline
      settle(place)
    } else {
      places[owner] = heap.count
      heap.append(Entry(deadline: deadline, owner: owner))
      settle(heap.count - 1)
    }
  }

  /// Takes one owner whose deadline is not after `now`.
  package mutating func popDue(at now: Timestamp) -> UInt64? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    remove(at: 0)
    return first.owner
  }

  private mutating func remove(at place: Int) {
    let last = heap.count - 1
    places[heap[place].owner] = nil
    if place != last {
      heap[place] = heap[last]
      places[heap[place].owner] = place
    }
    heap.removeLast()
    if place < heap.count { settle(place) }
  }

  /// Moves the entry at `place` up or down until the heap is in order again.
  private mutating func settle(_ place: Int) {
    var place = place
    while place > 0, heap[place].deadline < heap[(place - 1) / 2].deadline {
      swap(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
    while true {
      var smallest = place
      for child in (2 * place + 1)...(2 * place + 2)
      where child < heap.count && heap[child].deadline < heap[smallest].deadline {
        smallest = child
      }
      guard smallest != place else { return }
      swap(place, smallest)
      place = smallest
    }
  }

  private mutating func swap(_ left: Int, _ right: Int) {
    heap.swapAt(left, right)
    places[heap[left].owner] = left
    places[heap[right].owner] = right
  }
}
