import HTTP3Engine
import Synchronization

/// Collects what readers took of their streams, so that the loop is woken once for many chunks.
final class CreditLedger: Sendable {
  private let credit = Mutex<[StreamID: Int]>([:])

  /// Whether the loop has to be told; not when it was told already and has not come yet.
  func add(_ count: Int, on stream: StreamID) -> Bool {
    credit.withLock { credit in
      let isFirst = credit.isEmpty
      credit[stream, default: 0] += count
      return isFirst
    }
  }

  func takeAll() -> [StreamID: Int] {
    credit.withLock { credit in
      defer { credit.removeAll(keepingCapacity: true) }
      return credit
    }
  }
}
