import HTTP3Engine

/// Hands the bytes of bodies to their readers, and the peer credit for what these took.
struct BodyDelivery<Place: Hashable & Sendable> {
  /// The ledger in which readers, on threads of their own, note what they took.
  let ledger: CreditLedger<Place>
  private var readers: WaitingReaders
  /// Empty between two calls; its memory is used again.
  private var taken: [Place: Int] = [:]

  /// - Parameters:
  ///   - window: bytes of one body that may wait for their reader.
  ///   - readers: those who wait for something to read.
  init(window: Int, readers: WaitingReaders) {
    ledger = CreditLedger(window: window)
    self.readers = readers
  }

  /// Of responses: their readers are woken for many bytes, or after a moment.
  init(responsesOf window: Int) {
    self.init(
      window: window, readers: WaitingReaders(pause: .microseconds(500), mostBytes: min(256 << 10, window / 4)))
  }

  mutating func receive(_ bytes: [UInt8], for body: BodyChannel) {
    readers.add(bytes, to: body)
  }

  /// Wakes the readers that have something to read, or answers when it is time to.
  mutating func wakeReaders(at now: Timestamp) -> Timestamp? {
    readers.wake(at: now)
  }

  /// Calls `consume` with what was taken of each stream since the last call.
  mutating func takeCredit(_ consume: (Place, Int) -> Void) {
    ledger.takeAll(into: &taken)
    guard !taken.isEmpty else { return }
    for (id, count) in taken { consume(id, count) }
    taken.removeAll(keepingCapacity: taken.count <= CreditLedger<Place>.placesKept)
  }
}
