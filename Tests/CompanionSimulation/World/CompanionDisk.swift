import CodexCompanion
import EventLedger
import LedgerModel
import ResolveKitCore

/// The disk of the companion's machine: the chat's log and the decisions that are kept, as a process finds them that begins.
final class CompanionDisk {
  static let chat = "chat-1"
  private static let stream = "chat:" + chat
  private static let leaseTime = Duration.seconds(24 * 3_600)

  private var ledger = LedgerModel()
  private(set) var decisions: JSONObject?
  private let now: () -> WallTime

  init(now: @escaping () -> WallTime) { self.now = now }

  func lease() throws(LedgerError) -> LedgerLease {
    try ledger.lease(Self.stream, to: "companion", for: Self.leaseTime, at: now())
  }

  /// Returns the events as they were stored.
  func append(_ events: [ChatEvent], under lease: LedgerLease) throws(LedgerError) -> [LedgerEvent] {
    let drafts = events.map { $0.draft(chatID: Self.chat, at: now()) }
    let receipt = try ledger.append(LedgerAppend(drafts, under: lease, key: nil), at: now())
    return try ledger.events(of: Self.stream, after: receipt.sequences.lowerBound - 1, limit: drafts.count)
  }

  /// The events behind a cursor.
  func events(after cursor: Int64) -> [LedgerEvent] {
    (try? ledger.events(of: Self.stream, after: cursor, limit: .max)) ?? []
  }

  func keep(_ decisions: JSONObject) { self.decisions = decisions }
}
