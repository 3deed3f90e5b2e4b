package import EventLedger

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
  private let rows: any RowDatabase

  package init(_ rows: any RowDatabase) { self.rows = rows }

  /// False where the session was rated before.
  package func add(_ feedback: FeedbackRecord) async throws -> Bool {
    try await rows.write { access in
      let added = try access.run(
        """
        INSERT INTO feedback (session_id, id, rating, comment, created_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING RETURNING id
        """,
        [
          .text(feedback.sessionID), .text(feedback.id), .integer(Int64(feedback.rating)), .text(feedback.comment),
          .time(feedback.created),
        ])
      return !added.isEmpty
    }
  }
}
