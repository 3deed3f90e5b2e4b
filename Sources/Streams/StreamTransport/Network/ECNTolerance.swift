import Synchronization
import TransportRecords

/// Whether a server supports ECN; what is learnt holds for a day, so that a server that was mended is sent marks again.
///
/// Some close the connection when they learn which of their packets came marked (nginx#945). Without marks and reports
/// they are reached all the same, so that costs one more attempt, once.
final class ECNTolerance: Sendable {
  private let clock: TransportClock
  private let doubtedUntil = Mutex<Duration?>(nil)

  init(_ clock: TransportClock) {
    self.clock = clock
  }

  var usesECN: Bool { doubtedUntil.withLock { $0.map { $0 <= clock.now() } ?? true } }

  func doubt(for time: Duration = .seconds(ServerRecord.ecnDoubtLifetime)) {
    doubtedUntil.withLock { $0 = clock.now() + time }
  }
}
