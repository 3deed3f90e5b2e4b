import EventLedger
import ResolveKitCore

/// The sizes of a worker's newest events, so that the oldest are dropped where the sum is too large. Pure.
struct StoredSizes: Equatable, Sendable {
  private struct Bucket: Equatable {
    /// The last event in it.
    var last: Int64
    var bytes: Int64
  }

  /// The most that a worker's events may have, in bytes; a bucket less is kept in any case.
  static let limit: Int64 = 64 << 20
  private static let bucketBytes: Int64 = 2 << 20
  /// The size of the rest of a ledger's row, in bytes.
  private static let overhead: Int64 = 128

  /// The oldest first.
  private var buckets: [Bucket] = []
  /// Events up to this one are too much.
  private(set) var surplus: Int64 = 0

  init() {}

  mutating func add(_ event: LedgerEvent) {
    let bytes = Int64(event.payload.count + event.type.utf8.count) + Self.overhead
    if let newest = buckets.last, newest.bytes + bytes <= Self.bucketBytes {
      buckets[buckets.count - 1] = Bucket(last: event.sequence, bytes: newest.bytes + bytes)
    } else {
      buckets.append(Bucket(last: event.sequence, bytes: bytes))
    }
    while buckets.count > 1, buckets.reduce(0, { $0 + $1.bytes }) > Self.limit { surplus = buckets.removeFirst().last }
  }

  var json: JSONValue {
    [
      "surplus": JSONValue(surplus),
      "buckets": .array(buckets.map { ["last": JSONValue($0.last), "bytes": JSONValue($0.bytes)] }),
    ]
  }

  init(_ json: JSONValue?) {
    let members = json?.objectValue ?? [:]
    surplus = members["surplus"]?.number ?? 0
    buckets = (members["buckets"]?.arrayValue ?? []).compactMap { value in
      guard let last = value.objectValue?["last"]?.number, let bytes = value.objectValue?["bytes"]?.number else {
        return nil
      }
      return Bucket(last: last, bytes: bytes)
    }
  }
}
