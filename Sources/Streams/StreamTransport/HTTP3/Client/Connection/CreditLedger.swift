import Synchronization

/// Collects what readers took of their streams, so that the loop is woken once for many chunks, and not at all for a few
/// bytes: those are taken along when the next datagrams come.
final class CreditLedger<Place: Hashable & Sendable>: Sendable {
  private struct State {
    var credit: [Place: Int] = [:]
    var total = 0
    var hasTold = false
  }

  /// The number of places whose memory is worth keeping: more are many streams at once, and rare.
  static var placesKept: Int { 64 }

  private let state = Mutex(State())
  private let threshold: Int

  /// - Parameter window: what a peer may send on one stream. More than a quarter of it, over all streams, wakes the loop,
  ///   and no less is announced to the peer: so it has half of the window left, whatever is kept on either side.
  init(window: Int) {
    threshold = window / 4 + 1
  }

  /// Whether the loop has to be woken; not when it was woken already and has not come yet.
  func add(_ count: Int, on place: Place) -> Bool {
    state.withLock { state in
      state.credit[place, default: 0] += count
      state.total += count
      guard !state.hasTold, state.total >= threshold else { return false }
      state.hasTold = true
      return true
    }
  }

  /// Moves all into `taken`, which is empty; the caller uses the same one again, so that its memory is not made again.
  func takeAll(into taken: inout [Place: Int]) {
    state.withLock { state in
      guard state.total > 0 else { return }
      swap(&state.credit, &taken)
      state.total = 0
      state.hasTold = false
    }
  }
}
