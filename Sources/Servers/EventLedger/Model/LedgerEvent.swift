/// An event to append.
package struct LedgerDraft: Equatable, Sendable {
  package var type: String
  package var payload: [UInt8]

  package init(type: String, payload: [UInt8]) {
    self.type = type
    self.payload = payload
  }
}

/// An event of a stream.
package struct LedgerEvent: Equatable, Sendable {
  /// The place in its stream: 1 for the first, without gaps.
  package var sequence: Int64
  /// The number of the lease under which it was appended.
  package var fence: Int64
  package var time: WallTime
  package var type: String
  package var payload: [UInt8]

  package init(sequence: Int64, fence: Int64, time: WallTime, type: String, payload: [UInt8]) {
    self.sequence = sequence
    self.fence = fence
    self.time = time
    self.type = type
    self.payload = payload
  }
}

/// The events of a stream that are kept: those after `floor`, up to `last`.
package struct LedgerExtent: Equatable, Sendable {
  package var floor: Int64
  package var last: Int64

  package init(floor: Int64, last: Int64) {
    self.floor = floor
    self.last = last
  }
}

/// The right to append to a stream, until a later one is given.
package struct LedgerLease: Equatable, Sendable {
  package let stream: String
  package let holder: String
  /// The fencing number; every lease on a stream has a greater one than those before.
  package let fence: Int64
  package let expiry: WallTime

  package init(stream: String, holder: String, fence: Int64, expiry: WallTime) {
    self.stream = stream
    self.holder = holder
    self.fence = fence
    self.expiry = expiry
  }
}

/// The place of an append's events in their stream.
package struct AppendReceipt: Equatable, Sendable {
  package let sequences: ClosedRange<Int64>
  /// Whether the events were appended before, under the same key.
  package let isRepeat: Bool

  package init(sequences: ClosedRange<Int64>, isRepeat: Bool) {
    self.sequences = sequences
    self.isRepeat = isRepeat
  }
}
