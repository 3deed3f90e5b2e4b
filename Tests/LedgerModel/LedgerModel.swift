package import EventLedger

/// A ledger as a value, without a clock or a database: what a ledger promises, in the fewest words. The conformance suite
/// holds it to what the real ones do.
package struct LedgerModel: Sendable {
  private struct Key {
    let digest: [UInt8]
    let sequences: ClosedRange<Int64>
  }

  private struct Stream {
    var events: [LedgerEvent] = []
    var last: Int64 = 0
    var floor: Int64 = 0
    /// The sequence number up to which dropped events are removed.
    var swept: Int64 = 0
    var fence: Int64 = 0
    var holder = ""
    var expiry: WallTime?
    var keys: [String: Key] = [:]
    var isDeleted = false
  }

  private var streams: [String: Stream] = [:]
  /// Names in the order in which the streams were made.
  private var names: [String] = []

  package init() {}

  /// Events and keys that are stored, dropped ones too.
  package var storedRows: Int { streams.values.reduce(0) { $0 + $1.events.count + $1.keys.count } }

  // MARK: Leases

  package mutating func lease(
    _ name: String, to holder: String, for duration: Duration, at now: WallTime
  ) throws(LedgerError) -> LedgerLease {
    try LedgerLimits.check(stream: name)
    try LedgerLimits.check(name: holder, "holder")
    var stream = streams[name] ?? Stream()
    try Self.checkKept(stream, name)
    if let expiry = stream.expiry, expiry > now, stream.holder != holder {
      throw LedgerError(.leased(until: expiry), "'\(stream.holder)' holds the lease on '\(name)'.")
    }
    stream.fence += 1
    stream.holder = holder
    stream.expiry = now + duration
    if streams.updateValue(stream, forKey: name) == nil { names.append(name) }
    return LedgerLease(stream: name, holder: holder, fence: stream.fence, expiry: now + duration)
  }

  package mutating func renew(
    _ lease: LedgerLease, for duration: Duration, at now: WallTime
  ) throws(LedgerError) -> LedgerLease {
    try check(lease)
    streams[lease.stream]?.expiry = now + duration
    return LedgerLease(stream: lease.stream, holder: lease.holder, fence: lease.fence, expiry: now + duration)
  }

  package mutating func release(_ lease: LedgerLease) {
    guard var stream = streams[lease.stream], stream.fence == lease.fence else { return }
    stream.fence += 1
    stream.holder = ""
    stream.expiry = nil
    streams[lease.stream] = stream
  }

  package func abandonedStreams(prefix: String, limit: Int, at now: WallTime) -> [String] {
    let expired = names.filter { $0.hasPrefix(prefix) }.compactMap { name in
      streams[name]?.expiry.flatMap { $0 <= now ? (name: name, expiry: $0) : nil }
    }
    return expired.sorted { $0.expiry < $1.expiry }.prefix(max(0, limit)).map(\.name)
  }

  // MARK: Events

  /// Refused before anything is stored, or stored as a whole.
  package mutating func append(_ append: LedgerAppend, at now: WallTime) throws(LedgerError) -> AppendReceipt {
    try append.check()
    let name = append.lease.stream
    try check(append.lease)
    var stream = try kept(name)
    let digest = append.key == nil ? [] : append.digest
    if let key = append.key, let known = stream.keys[key], known.sequences.upperBound > stream.floor {
      guard known.digest == digest else {
        throw LedgerError(.keyReused, "The key '\(key)' was used for other events; give these another.")
      }
      return AppendReceipt(sequences: known.sequences, isRepeat: true)
    }
    let sequences = stream.last + 1...stream.last + Int64(append.drafts.count)
    for (sequence, draft) in zip(sequences, append.drafts) {
      stream.events.append(
        LedgerEvent(
          sequence: sequence, fence: append.lease.fence, time: now, type: draft.type, payload: draft.payload))
    }
    stream.last = sequences.upperBound
    if let key = append.key { stream.keys[key] = Key(digest: digest, sequences: sequences) }
    streams[name] = stream
    return AppendReceipt(sequences: sequences, isRepeat: false)
  }

  package func events(of name: String, after cursor: Int64, limit: Int) throws(LedgerError) -> [LedgerEvent] {
    let stream = try kept(name)
    guard cursor >= stream.floor else {
      throw LedgerError(.trimmed(floor: stream.floor), "The events up to \(stream.floor) were dropped.")
    }
    guard cursor <= stream.last else {
      throw LedgerError(.cursorAhead(last: stream.last), "'\(name)' ends at \(stream.last).")
    }
    // Without gaps, so a number is a place.
    let skipped = Int(clamping: cursor - stream.swept)
    var events: [LedgerEvent] = []
    var bytes = 0
    for event in stream.events.dropFirst(skipped).prefix(max(0, limit)) where bytes < LedgerLimits.pageBytes {
      bytes += event.payload.count
      events.append(event)
    }
    return events
  }

  package func extent(of name: String) throws(LedgerError) -> LedgerExtent {
    let stream = try kept(name)
    return LedgerExtent(floor: stream.floor, last: stream.last)
  }

  package func extents(of names: [String]) -> [String: LedgerExtent] {
    var extents: [String: LedgerExtent] = [:]
    for name in names {
      guard let stream = streams[name], !stream.isDeleted else { continue }
      extents[name] = LedgerExtent(floor: stream.floor, last: stream.last)
    }
    return extents
  }

  // MARK: Retention

  /// Returns the floor.
  package mutating func trim(_ name: String, through sequence: Int64) throws(LedgerError) -> Int64 {
    let stream = try kept(name)
    let floor = max(stream.floor, min(sequence, stream.last))
    streams[name]?.floor = floor
    return floor
  }

  package mutating func delete(_ name: String) throws(LedgerError) {
    var stream = try kept(name)
    stream.floor = stream.last
    stream.isDeleted = true
    stream.holder = ""
    stream.expiry = nil
    streams[name] = stream
  }

  /// Returns how many events went.
  package mutating func sweep(limit: Int) -> Int {
    for name in names {
      guard var stream = streams[name], stream.swept < stream.floor else { continue }
      let count = Int(clamping: min(stream.floor - stream.swept, Int64(max(0, limit))))
      stream.events.removeFirst(count)
      stream.swept += Int64(count)
      stream.keys = stream.keys.filter { $0.value.sequences.upperBound > stream.swept }
      streams[name] = stream
      return count
    }
    return 0
  }

  // MARK: Checks

  private func kept(_ name: String) throws(LedgerError) -> Stream {
    try LedgerLimits.check(stream: name)
    guard let stream = streams[name] else {
      throw LedgerError(.unknownStream, "There is no stream '\(name)'; a lease makes it.")
    }
    try Self.checkKept(stream, name)
    return stream
  }

  private static func checkKept(_ stream: Stream, _ name: String) throws(LedgerError) {
    if stream.isDeleted { throw LedgerError(.deletedStream, "The stream '\(name)' was deleted; use another name.") }
  }

  private func check(_ lease: LedgerLease) throws(LedgerError) {
    let fence = try kept(lease.stream).fence
    guard lease.fence == fence else {
      throw LedgerError(.fenced, "The lease \(lease.fence) on '\(lease.stream)' is over, the stream is at \(fence).")
    }
  }
}
