/// Deletes what a backend keeps of a person, in steps that running turns do not wait long for.
///
/// A turn of the session that runs is cut off: what it says next is refused. Repeating a deletion that was broken off
/// completes it, and repeating one that was completed does nothing.
package struct SessionDeletion: Sendable {
  /// What is to be deleted.
  package enum Subject: Equatable, Sendable {
    case session(String)
    /// All sessions that were opened with this device's id.
    case device(String)
  }

  private let sessions: SessionStore
  private let log: SessionLog

  package init(_ storage: BackendStorage) {
    sessions = SessionStore(storage.rows)
    log = SessionLog(storage.ledger)
  }

  /// Deletes the sessions with their messages, turns, calls, ratings and events; returns how many there were.
  package func delete(_ subject: Subject) async throws -> Int {
    let found =
      switch subject {
      case .session(let id): [id]
      case .device(let device): try await sessions.sessions(ofDevice: device)
      }
    var count = 0
    for id in found {
      // First, so that no turn begins any more; last the row by which an earlier attempt is found.
      guard try await sessions.condemn(id) else { continue }
      try await log.delete(id)
      try await sessions.remove([id])
      count += 1
    }
    try await log.sweep()
    return count
  }
}
