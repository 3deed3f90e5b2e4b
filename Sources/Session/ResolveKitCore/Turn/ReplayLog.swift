/// The events of the session that were applied, and where to resume. Ids are opaque: compared for equality only, since
/// they are numbers, pairs or anything else, depending on the backend.
package struct ReplayLog: Equatable, Sendable {
  private var seen: RecentIDs
  /// The cursor to send; nil asks for the whole session. Never empty: an empty cursor is an error on the wire.
  package private(set) var resumePoint: String?

  package init(capacity: Int) { seen = RecentIDs(capacity: capacity) }

  /// The log as an earlier process left it.
  init(seen: RecentIDs, resumePoint: String?) {
    self.seen = seen
    self.resumePoint = resumePoint
  }

  /// Whether an event of that id is new. A known one must have no effect.
  package mutating func accept(_ id: String) -> Bool { seen.insert(id) }

  /// Moves the resume point, once the event's effects are done.
  package mutating func advance(to id: String) {
    if !id.isEmpty { resumePoint = id }
  }

  /// The backend refused the cursor: everything it keeps is asked for again, and what is known stays suppressed.
  package mutating func dropCursor() { resumePoint = nil }

  /// Another session: its ids have nothing to do with these.
  package mutating func reset() {
    seen.removeAll()
    resumePoint = nil
  }
}
