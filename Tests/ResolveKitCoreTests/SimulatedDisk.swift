@testable import ResolveKitCore

/// A file in memory that ends a process where a test says: at a byte, in the middle of a write, or at a step.
struct SimulatedDisk {
  /// The bytes that are written.
  var bytes: [UInt8] = JournalFormat.header
  /// The number of bytes that are surely on the disk.
  var synced = JournalFormat.header.count
  var sequence: UInt64 = 0
  var steps = 0
  var records = 0

  /// The process ends in the write that would make the file longer than this.
  var limit: Int?
  /// The process ends at this step.
  var lastStep: Int?
  /// The machine goes down with the process: what was not synced is lost.
  var losesUnsynced = false
  /// Every so many records the file is replaced by the session's state.
  var compactsEvery: Int?

  /// Appends a record; false where the process ends within it.
  mutating func append(_ record: JournalRecord, image: SessionImage) throws -> Bool {
    let new = try JournalFormat.encode(record)
    if let limit, bytes.count + new.count > limit {
      bytes += new.prefix(max(0, limit - bytes.count))
      return false
    }
    bytes += new
    sequence = record.sequence
    records += 1
    if let compactsEvery, records.isMultiple(of: compactsEvery) {
      sequence += 1
      let all = JournalRecord(sequence: sequence, wallMilliseconds: 1, time: record.time, entries: [.image(image)])
      bytes = JournalFormat.header + (try JournalFormat.encode(all))
      synced = bytes.count
    }
    return true
  }

  /// All that is written is on the disk.
  mutating func synchronize() { synced = bytes.count }
}
