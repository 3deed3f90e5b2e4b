/// The source of a ``LedgerFeed``: a ledger's streams as they are, or prepared for their readers.
package protocol FeedSource: Sendable {
  /// The events after a cursor, oldest first: at most `limit`, and none after the one that reaches
  /// ``LedgerLimits/pageBytes``.
  func events(of stream: String, after cursor: Int64, limit: Int) async throws -> [LedgerEvent]

  /// The extents of those of these streams that exist, in one question.
  func extents(of streams: [String]) async throws -> [String: LedgerExtent]

  /// Reports changes to the listeners in this process: those made through this value once they are durable, those of
  /// other processes as far as the database tells them.
  var news: LedgerNews { get }
}
