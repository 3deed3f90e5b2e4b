/// The lag of the read model that lists are served from behind a worker's own log.
public struct WorkerProjection: Hashable, Sendable {
  /// The read model's own id of the worker; nil where it has none.
  public let documentID: String?
  /// The number of the last event that the read model has; 0 for none.
  public let lastSequence: Int64
  /// The number of events of the log that the read model has not taken yet.
  public let lagEvents: Int64
  /// `in_sync` or `lagging`.
  public let status: String
  /// The server's time of the last event that it took, as it wrote it; nil before the first.
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
