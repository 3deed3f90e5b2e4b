/// Nanoseconds since the beginning of a run.
package typealias Moment = UInt64

extension Moment {
  /// So many milliseconds later.
  func adding(milliseconds: Int) -> Moment { self &+ Moment(clamping: milliseconds) &* 1_000_000 }
}

/// Future actions in order of time; those of the same moment in the order of their entry.
final class Agenda {
  private struct Entry {
    let at: Moment
    let number: Int
    let body: () -> Void

    static func < (left: Entry, right: Entry) -> Bool {
      left.at == right.at ? left.number < right.number : left.at < right.at
    }
  }

  private(set) var now: Moment = 0
  /// A heap: no entry is later than the two below it.
  private var entries: [Entry] = []
  private var count = 0

  func after(milliseconds: Int, _ body: @escaping () -> Void) { at(now.adding(milliseconds: milliseconds), body) }

  func at(_ moment: Moment, _ body: @escaping () -> Void) {
    count += 1
    entries.append(Entry(at: max(moment, now), number: count, body: body))
    var place = entries.count - 1
    while place > 0, entries[place] < entries[(place - 1) / 2] {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Lets the next thing happen; false where there is none before `end`.
  ///
  /// - Parameter clock: told of its moment before.
  func step(before end: Moment, clock: (Moment) -> Void) -> Bool {
    guard let first = entries.first, first.at < end else { return false }
    let last = entries.removeLast()
    if !entries.isEmpty {
      entries[0] = last
      sink()
    }
    now = first.at
    clock(now)
    first.body()
    return true
  }

  /// Forgets all that is to happen.
  func clear() { entries = [] }

  private func sink() {
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < entries.count && entries[child] < entries[least] {
        least = child
      }
      guard least != place else { return }
      entries.swapAt(place, least)
      place = least
    }
  }
}
