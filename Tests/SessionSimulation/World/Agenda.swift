/// Nanoseconds since the beginning of a run.
package typealias Moment = UInt64

extension Moment {
  /// So many milliseconds later.
  package func adding(milliseconds: Int) -> Moment { self &+ Moment(clamping: milliseconds) &* 1_000_000 }
}

/// Future actions in order of time; those of the same moment in the order of their entry.
package final class Agenda {
  private struct Entry {
    let at: Moment
    let number: Int
    let body: () -> Void

    static func < (left: Entry, right: Entry) -> Bool {
      left.at == right.at ? left.number < right.number : left.at < right.at
    }
  }

  package private(set) var now: Moment = 0
  /// A heap: no entry is later than the two below it.
  private var entries: [Entry] = []
  private var count = 0

  package init() {}

  package func after(milliseconds: Int, _ body: @escaping () -> Void) {
    at(now.adding(milliseconds: milliseconds), body)
  }

  package func at(_ moment: Moment, _ body: @escaping () -> Void) {
    count += 1
    let new = Entry(at: max(moment, now), number: count, body: body)
    entries.append(new)
    var place = entries.count - 1
    while place > 0, new < entries[(place - 1) / 2] {
      entries[place] = entries[(place - 1) / 2]
      place = (place - 1) / 2
    }
    entries[place] = new
  }

  /// Lets the next thing happen; false where there is none before `end`.
  ///
  /// - Parameter clock: receives each entry's moment before the entry runs.
  package func step(before end: Moment, clock: (Moment) -> Void) -> Bool {
    guard let first = entries.first, first.at < end else { return false }
    let last = entries.removeLast()
    if !entries.isEmpty { sink(last) }
    now = first.at
    clock(now)
    first.body()
    return true
  }

  /// Forgets all that is to happen.
  package func clear() { entries = [] }

  /// Puts an entry into the place of the first, and others above it as long as they are earlier.
  private func sink(_ entry: Entry) {
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1] < entries[child] { child += 1 }
      guard entries[child] < entry else { break }
      entries[place] = entries[child]
      place = child
    }
    entries[place] = entry
  }
}
