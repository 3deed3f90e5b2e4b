import EventLedger
import Foundation
import Synchronization

/// Hears the changes that other processes make, on a connection and a thread of its own.
final class PostgresListener: Sendable {
  private let isClosed = Mutex(false)

  /// The time that the thread waits for notifications before it looks whether it is to end.
  private static let interval = Duration.milliseconds(500)

  init(_ url: String, limits: PostgresLimits, news: LedgerNews) {
    let thread = Thread { [weak self] in
      while let self, !self.isClosed.withLock({ $0 }) { self.listen(url, limits, news) }
    }
    thread.name = "ledger.listen"
    thread.start()
  }

  func close() { isClosed.withLock { $0 = true } }

  /// Listens until the connection is lost, or this is closed. Pauses where there is none.
  private func listen(_ url: String, _ limits: PostgresLimits, _ news: LedgerNews) {
    do {
      let connection = try PostgresConnection.open(url, limits: limits)
      try connection.execute("LISTEN ledger")
      // Notifications that were sent while nobody listened are lost.
      news.post(.missed)
      while !isClosed.withLock({ $0 }) {
        for payload in try connection.notifications(within: Self.interval) {
          if let change = Self.change(payload) { news.post(change) }
        }
      }
    } catch {
      // The feed's poll finds meanwhile what is not heard.
      Thread.sleep(forTimeInterval: 1)
    }
  }

  /// A kind, a number, a space and a stream's name; nil for what nobody of ours wrote.
  static func change(_ payload: String) -> LedgerChange? {
    let parts = payload.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = parts[0].first, let number = Int64(parts[0].dropFirst()) else { return nil }
    let stream = String(parts[1])
    switch kind {
    case "a": return .appended(stream: stream, last: number)
    case "t": return .trimmed(stream: stream, floor: number)
    case "d": return .deleted(stream: stream)
    case "s": return .signalled(topic: stream)
    default: return nil
    }
  }
}
