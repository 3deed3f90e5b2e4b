/// The open calls in order of arrival, and which of them hold a place among the tools that run.
///
/// A place is held until the tool's body has returned, also where its call was answered long before: a tool that ignores
/// its cancellation still uses what it uses.
struct ToolSlots: Equatable, Sendable {
  struct Call: Equatable, Sendable {
    let key: ToolCallKey
    /// Calls of one lane run one after the other.
    let lane: [UInt8]?
    var holdsPlace = false
  }

  private(set) var calls: [Call] = []

  var held: Int { calls.count { $0.holdsPlace } }

  mutating func enter(_ key: ToolCallKey, serialKey: String?) {
    calls.append(Call(key: key, lane: serialKey.map { Array($0.utf8) }))
  }

  mutating func hold(_ key: ToolCallKey) {
    if let index = calls.firstIndex(where: { $0.key == key }) { calls[index].holdsPlace = true }
  }

  /// The body has returned. False if the call held no place.
  @discardableResult
  mutating func release(_ key: ToolCallKey) -> Bool {
    guard let index = calls.firstIndex(where: { $0.key == key }), calls[index].holdsPlace else { return false }
    calls.remove(at: index)
    return true
  }

  /// The first call that may start; nil where all places are held, or what is ready has to wait for its lane.
  ///
  /// - Parameters:
  ///   - isOpen: whether the call has no result yet. One that has, and whose body does not run, is forgotten.
  ///   - isReady: whether it was approved and has not started.
  mutating func next(
    limit: Int, isOpen: (ToolCallKey) -> Bool, isReady: (ToolCallKey) -> Bool
  ) -> ToolCallKey? {
    calls.removeAll { !$0.holdsPlace && !isOpen($0.key) }
    guard held < limit else { return nil }
    var taken: Set<[UInt8]> = []
    for call in calls {
      let isFirstOfLane = call.lane.map { taken.insert($0).inserted } ?? true
      if isFirstOfLane, !call.holdsPlace, isReady(call.key) { return call.key }
    }
    return nil
  }

  /// Only what still runs.
  mutating func keepHeld() { calls.removeAll { !$0.holdsPlace } }
}
