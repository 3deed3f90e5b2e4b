import LinkModel
import ResolveKitCore

/// One process's journal of a session: records gather in memory, are written, and brought to disk where one asks for that.
final class JournalWriter {
  let session: String
  private(set) var image: SessionImage
  private let disk: ClientDisk
  private let life: Life
  private var generator: SeededGenerator
  private let compactsEvery: Int?
  private var sequence: UInt64
  /// The bytes that are known to be on the disk, and those that are written behind them.
  private var synced: [UInt8]
  private var written: [UInt8] = []
  private var waiting: [UInt8] = []
  private var place = 0
  private var records = 0
  private var needsSync = false
  private var isScheduled = false
  private var isClosed = false
  /// The entries that are not known to be on the disk.
  private var facts: [JournalEntry] = []
  /// All records up to a place are as durable as they ask to be.
  var onReach: (Int) -> Void = { _ in }
  /// These have reached the disk.
  var onDurable: ([JournalEntry]) -> Void = { _ in }

  /// Opens the journal, and drops what a crash cut off.
  init(
    of session: String, on disk: ClientDisk, life: Life, seed: UInt64, compactsEvery: Int?
  ) throws(JournalError) {
    self.session = session
    self.disk = disk
    self.life = life
    self.compactsEvery = compactsEvery
    generator = SeededGenerator(seed: seed)
    let bytes = disk.bytes(of: session)
    let reader = try JournalReader(bytes)
    guard !reader.isDamaged else { throw JournalError(.damaged, "A crash has damaged the journal.") }
    synced = reader.end == 0 ? JournalFormat.header : Array(bytes.prefix(reader.end))
    image = reader.image
    sequence = reader.sequence
    disk.write(synced, of: session)
  }

  /// Returns the record's place.
  func append(_ entries: [JournalEntry], at time: MonotonicNanoseconds, wall: UInt64) -> Int {
    sequence += 1
    place += 1
    records += 1
    let record = JournalRecord(sequence: sequence, wallMilliseconds: wall, time: time, entries: entries)
    waiting += (try? JournalFormat.encode(record)) ?? []
    image.apply(record)
    facts += entries
    needsSync = needsSync || record.isDurable
    if !isScheduled {
      isScheduled = true
      life.after(milliseconds: Int.random(in: 0...3, using: &generator)) { self.write() }
    }
    return place
  }

  private func write() {
    guard !isClosed else { return }
    written += waiting
    waiting = []
    let place = place
    guard needsSync else {
      isScheduled = false
      return onReach(place)
    }
    needsSync = false
    let (count, said) = (written.count, facts.count)
    life.after(milliseconds: Int.random(in: 1...9, using: &generator)) { self.synchronized(count, said, place) }
  }

  private func synchronized(_ count: Int, _ said: Int, _ place: Int) {
    guard !isClosed else { return }
    synced += written.prefix(count)
    written.removeFirst(count)
    if let compactsEvery, records >= compactsEvery, written.isEmpty, waiting.isEmpty { compact() }
    disk.write(synced, of: session)
    onDurable(Array(facts.prefix(said)))
    facts.removeFirst(said)
    onReach(place)
    isScheduled = false
    // What has gathered meanwhile shares the next sync.
    guard !waiting.isEmpty else { return }
    isScheduled = true
    life.after(milliseconds: 0) { self.write() }
  }

  /// The session's state takes the place of the records.
  private func compact() {
    records = 0
    let record = JournalRecord(
      sequence: sequence, wallMilliseconds: image.updatedAt, time: image.time, entries: [.image(image)])
    if let bytes = try? JournalFormat.encode(record) { synced = JournalFormat.header + bytes }
  }

  /// The process is gone: of what is not known to be on the disk a share is, cut at any byte.
  func crash(kept share: Double) {
    let rest = written + waiting
    let share = share.isFinite ? share : 0
    disk.write(synced + rest.prefix(Int(Double(rest.count) * min(max(share, 0), 1))), of: session)
  }

  /// All that was appended is written.
  func close() {
    isClosed = true
    synced += written + waiting
    written = []
    waiting = []
    disk.write(synced, of: session)
    onDurable(facts)
    facts = []
  }
}
