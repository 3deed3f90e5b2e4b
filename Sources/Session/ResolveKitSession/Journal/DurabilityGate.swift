package import ResolveKitCore

/// Holds back what acts on the world until the records that it is built on are on the disk, in order.
///
/// Places count the records of one journal.
package struct DurabilityGate {
  private struct Waiting {
    let action: TurnAction
    /// The place that must be on the disk first.
    var place: Int
  }

  /// The journal's last place, and how far it is on the disk.
  private var appended = 0
  private var reached = 0
  private var waiting: [Waiting] = []

  package init() {}

  /// A record was appended at `place`.
  package mutating func append(_ place: Int) { appended = place }

  /// Another journal is used from now on, whose first record is at `place`: what waits, waits for that.
  package mutating func restart(at place: Int) {
    reached = 0
    appended = place
    for index in waiting.indices { waiting[index].place = place }
  }

  /// Whether an action may be performed now; one that may not waits for ``next()``. An action may be built on an earlier
  /// event's record, so it waits for all that were appended.
  package mutating func admits(_ action: TurnAction) -> Bool {
    guard action.needsDurability, reached < appended else { return true }
    waiting.append(Waiting(action: action, place: appended))
    return false
  }

  /// All records up to `place` are on the disk.
  package mutating func reach(_ place: Int) { reached = max(reached, place) }

  /// The calls whose tools ``next()`` would start: their time may be over by now.
  package var readyStarts: [ToolCallKey] {
    waiting.prefix { $0.place <= reached }
      .compactMap { if case .startTool(let call) = $0.action { call.key } else { nil } }
  }

  /// The next action that waits no longer; nil where there is none.
  package mutating func next() -> TurnAction? {
    guard let first = waiting.first, first.place <= reached else { return nil }
    return waiting.removeFirst().action
  }

  /// Gives up the start of a tool. Returns whether it waited, and so never happens.
  package mutating func withdrawStart(of key: ToolCallKey) -> Bool {
    let count = waiting.count
    waiting.removeAll { if case .startTool(let call) = $0.action { call.key == key } else { false } }
    return waiting.count < count
  }
}
