import EventLedger
import ResolveKitCore
import Synchronization

/// Summaries of workers, projected from their events. It can be thrown away and made again; nothing but a list shows
/// it, and nothing is decided by it.
final class ReadModel: Sendable {
  /// Documents that are remembered, so that a list asks for those alone that have changed.
  private static let rememberedDocuments = 4_096

  let storage: Storage
  private let known = Mutex<[String: SummaryDocument]>([:])

  init(storage: Storage) { self.storage = storage }

  /// The progress of these workers' documents.
  func projections(of snapshots: [WorkerView]) async throws -> [JSONValue] {
    let names = snapshots.map { StreamNames.summary(of: $0.id) }
    let extents = try await storage.ledger.extents(of: names)
    var projections: [JSONValue] = []
    for (name, snapshot) in zip(names, snapshots) {
      guard let extent = extents[name], extent.last > 0 else {
        projections.append(.null)
        continue
      }
      let document = try await newest(name, extent)
      projections.append(document.projection(of: snapshot))
    }
    return projections
  }

  /// Projects a worker. Returns false where its document is as new, unless it is made again.
  @discardableResult
  func project(_ snapshot: WorkerView, anew: Bool = false) async throws -> Bool {
    let stream = SharedStream<SummaryDocument>(StreamNames.summary(of: snapshot.id), storage)
    let change = try await stream.change { document in
      if !anew, let sequence = document.sequence, sequence >= snapshot.state.latest { return [] }
      return [SummaryDocument.draft(snapshot)]
    }
    guard change.event != nil else { return false }
    // Older documents go in steps, so that few rows are changed for it.
    if change.value.place % 16 == 0 || anew, change.value.place > 1 {
      try await storage.ledger.trim(stream.name, through: change.value.place - 1)
    }
    return true
  }

  private func newest(_ name: String, _ extent: LedgerExtent) async throws -> SummaryDocument {
    if let document = known.withLock({ $0[name] }), document.place == extent.last { return document }
    var document = SummaryDocument()
    let events = try await storage.ledger.events(of: name, after: max(extent.floor, extent.last - 1), limit: 1)
    for event in events { document.apply(event) }
    known.withLock { [document] known in
      if known.count >= Self.rememberedDocuments { known = [:] }
      known[name] = document
    }
    return document
  }
}
