import EventLedger
import Synchronization

/// Notices that a database is not the one that it was: that a backup was put in its place, or another server has taken over.
package final class HistoryWatch: Sendable {
  private let ledger: any EventLedger
  private let settings: SettingStore
  private let now: @Sendable () -> WallTime
  private let state = Mutex<LogHistory?>(nil)

  init(_ ledger: any EventLedger, _ settings: SettingStore, now: @escaping @Sendable () -> WallTime) {
    self.ledger = ledger
    self.settings = settings
    self.now = now
  }

  /// The history in which events are said.
  package var current: LogHistory { state.withLock { $0 ?? .first } }

  /// Asks until the database answers, which it may not do where its connections were just cut.
  func lookAgain(clock: any Clock<Duration>) async -> Bool {
    while true {
      do { return try await look() } catch {
        guard case .unavailable = (error as? LedgerError)?.code else { return false }
        do { try await clock.sleep(for: .milliseconds(100)) } catch { return false }
      }
    }
  }

  /// Asks the database; returns whether it was restored since it was asked before, by whichever process.
  func look() async throws -> Bool {
    let (history, hasBegun) = try await settings.history(of: try await ledger.identity(), now: now())
    return state.withLock { state in
      defer { state = history }
      return hasBegun || (state ?? history) != history
    }
  }
}
