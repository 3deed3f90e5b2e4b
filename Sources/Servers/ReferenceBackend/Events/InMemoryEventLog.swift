package import EventLedger
import Synchronization

/// A log that ends with the process.
package final class InMemoryEventLog: EventLog {
  private struct State {
    var events: [StoredEvent] = []
    var floors: [String: EventID] = [:]
    var last = EventID.beginning
  }

  private let state = Mutex(State())

  package init() {}

  package func append(_ drafts: [EventDraft]) async throws -> [StoredEvent] {
    state.withLock { state in
      drafts.map { draft in
        state.last.number += 1
        let event = StoredEvent(id: state.last, draft: draft)
        state.events.append(event)
        return event
      }
    }
  }

  package func page(of sessionID: String, from position: LogPosition, limit: Int) async throws -> LogPage {
    state.withLock { state in
      var page = LogPage(position)
      for event in state.events where event.sessionID == sessionID && event.id > position.cursor {
        guard page.events.count < limit, !page.isFull else { break }
        page.append(event)
      }
      return page
    }
  }

  package func extent(of sessionID: String) async throws -> EventExtent {
    state.withLock { EventExtent(floor: $0.floors[sessionID] ?? .beginning, last: $0.last) }
  }

  package func lastEvent(ofTurn turnID: String) async throws -> StoredEvent? {
    state.withLock { $0.events.last { $0.turnID == turnID } }
  }

  package func prune(before time: WallTime, keepingTurns turns: Set<String>) async throws -> Int {
    state.withLock { state in
      let count = state.events.count
      var floors = state.floors
      let newest = Dictionary(state.events.map { ($0.turnID, $0.time) }, uniquingKeysWith: max)
      state.events.removeAll { event in
        guard newest[event.turnID, default: event.time] < time, !turns.contains(event.turnID) else { return false }
        floors[event.sessionID] = max(floors[event.sessionID] ?? .beginning, event.id)
        return true
      }
      state.floors = floors
      return count - state.events.count
    }
  }
}
