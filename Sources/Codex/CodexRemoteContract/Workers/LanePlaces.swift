import Synchronization

/// Has the tasks that perform a worker's requests wait for their turn in a ``LaneOrder``.
final class LanePlaces: Sendable {
  /// A request's place, which is given back when it is left or nobody holds it.
  final class Place: Sendable {
    private let number: Int
    private let places: LanePlaces

    fileprivate init(_ number: Int, in places: LanePlaces) {
      self.number = number
      self.places = places
    }

    deinit { leave() }

    /// Whether nothing before it keeps it back.
    var isBegun: Bool { places.state.withLock { $0.order.isBegun(number) } }

    /// Returns when its turn has come. Throws `CancellationError`.
    func begin() async throws { try await places.wait(for: number) }

    func leave() { places.leave(number) }
  }

  private struct State {
    var order = LaneOrder()
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Mutex(State())

  /// Takes a place; nil where there is none. Places are in the order of the calls.
  func enter(_ line: LaneOrder.Line, isCounted: Bool) -> Place? {
    state.withLock { $0.order.enter(line, isCounted: isCounted) }.map { Place($0, in: self) }
  }

  private func wait(for number: Int) async throws {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard !state.order.isBegun(number), !Task.isCancelled else { return true }
          state.waiting[number] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
    try Task.checkCancellation()
  }

  private func leave(_ number: Int) {
    let begun = state.withLock { state in
      state.order.leave(number).compactMap { state.waiting.removeValue(forKey: $0) }
    }
    for continuation in begun { continuation.resume() }
  }
}
