/// The lag of the read model that lists are served from behind a worker's own log.
public struct WorkerProjection: Hashable, Sendable {
  public let documentID: String?
  public let lastSequence: Int64
  public let lagEvents: Int64
  /// `in_sync` or `lagging`.
  public let status: String
  public let lastProjectedAt: String?

  init?(_ fields: WireObject?) {
    guard let fields, let lag = fields.count("lag_events") else { return nil }
    documentID = fields.string("document_id")
    lastSequence = fields.count("last_runtime_seq") ?? 0
    lagEvents = lag
    status = fields.string("status") ?? (lag == 0 ? "in_sync" : "lagging")
    lastProjectedAt = fields.string("last_projected_at")
  }
}
