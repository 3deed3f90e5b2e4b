package import EventLedger
import GRDB

/// A person's rating of a session.
package struct FeedbackRecord: Equatable, Sendable {
  package var id: String
  package var sessionID: String
  package var rating: Int
  package var comment: String?
  package var created: WallTime
}

/// The ratings, one a session.
package struct FeedbackStore: Sendable {
  let database: any DatabaseWriter

  package init(_ database: BackendDatabase) {
    self.database = database.writer
  }

  /// False where the session was rated before.
  package func add(_ feedback: FeedbackRecord) async throws -> Bool {
    try await database.wholeWrite { database in
      try database.execute(
        sql: "INSERT OR IGNORE INTO feedback (session_id, id, rating, comment, created_at) VALUES (?, ?, ?, ?, ?)",
        arguments: [
          feedback.sessionID, feedback.id, feedback.rating, feedback.comment, feedback.created.microseconds,
        ])
      return database.changesCount > 0
    }
  }
}
