import Synchronization

/// Counts the content of one exchange, in and out, where an access log asks for it.
final class ExchangeTraffic: Sendable {
  private let receivedBytes = Atomic<Int>(0)
  private let sentBytes = Atomic<Int>(0)
  private let isHeadSent = Atomic<Bool>(false)

  var received: Int { receivedBytes.load(ordering: .relaxed) }
  var sent: Int { sentBytes.load(ordering: .relaxed) }
  /// Whether the final response's head was handed over to be sent.
  var hasBegun: Bool { isHeadSent.load(ordering: .relaxed) }

  func receive(_ count: Int) { receivedBytes.add(count, ordering: .relaxed) }
  func send(_ count: Int) { sentBytes.add(count, ordering: .relaxed) }
  func begin() { isHeadSent.store(true, ordering: .relaxed) }
}
