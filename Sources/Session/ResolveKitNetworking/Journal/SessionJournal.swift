import Dispatch
package import ResolveKitCore
package import StreamTransport
import Synchronization

/// The journal of one session, open for writing.
///
/// ``append(_:time:)`` only puts a record into memory; one queue writes what has gathered, and brings it to disk where a
/// record asks for that: everything that gathers while the disk is busy shares the next sync. A place in the journal is
/// reported once all records up to it are as durable as they ask to be.
package final class SessionJournal: Sendable {
  /// The progress of the journal.
  package enum Progress: Sendable {
    case reached(Int)
    case failed(JournalError)
  }

  private struct State {
    var image: SessionImage
    var sequence: UInt64
    /// Records and bytes that wait for the queue.
    var waiting: [UInt8] = []
    var place = 0
    var needsSync = false
    var isScheduled = false
    var failure: JournalError?
    var fileSize: Int
    /// The part of the file that is known to be on the disk.
    var durableSize: Int
    var compactedSize: Int
    var writers: [CheckedContinuation<Void, Never>] = []
  }

  /// The file's size below which it is never compacted.
  private static let smallestCompaction = 1 << 20
  /// Bytes that may wait for the disk before ``room()`` holds up the event stream.
  private static let maximumWaiting = 1 << 20

  /// The faults found when the journal was opened, as sentences for a log; empty for none.
  package let findings: [String]
  package let sessionID: String
  private let queue: DispatchQueue
  private let file: Mutex<JournalFile>
  private let state: Mutex<State>
  private let now: @Sendable () -> UInt64
  private let report: @Sendable (SessionJournal, Progress) -> Void

  /// Opens the journal at `path`, creates it where it is missing, and repairs what a crash or a bad disk left.
  ///
  /// - Parameters:
  ///   - now: milliseconds since 1970.
  ///   - report: called on the writing queue.
  package init(
    path: String, sessionID: String, disk: Disk, now: @escaping @Sendable () -> UInt64,
    report: @escaping @Sendable (SessionJournal, Progress) -> Void
  ) throws(JournalError) {
    var file = try JournalFile(path: path, disk: disk)
    let reader = try JournalReader(try file.readAll())
    var findings: [String] = []
    if reader.isDamaged {
      let copy = "\(path).damaged-\(now())"
      try Self.keep(try file.readAll(), at: copy, disk: disk)
      findings.append(
        """
        The journal is damaged: \(reader.damage.count) places and \(reader.missingRecords) records are lost, \
        \(reader.records) records are whole and used. The damaged file is kept as '\(copy)'.
        """)
    }
    if reader.tornBytes > 0 {
      findings.append("The last record was cut off by a crash; its \(reader.tornBytes) bytes are dropped.")
    }
    var size = reader.end
    if reader.isDamaged {
      let bytes = try Self.compacted(reader.image, sequence: reader.sequence)
      try file.replace(with: bytes)
      size = bytes.count
    } else if reader.end == 0 {
      // Nothing but a part of the header, at most.
      try file.replace(with: JournalFormat.header)
      size = JournalFormat.header.count
    } else if reader.tornBytes > 0 {
      try file.truncate(to: reader.end)
    }
    self.findings = findings
    self.sessionID = sessionID
    queue = DispatchQueue(label: "resolvekit.journal", qos: .userInitiated)
    state = Mutex(
      State(
        image: reader.image, sequence: reader.sequence, fileSize: size, durableSize: size, compactedSize: size))
    self.file = Mutex(file)
    self.now = now
    self.report = report
  }

  private static func keep(_ bytes: [UInt8], at path: String, disk: Disk) throws(JournalError) {
    do {
      try PrivateFile.write(bytes, to: path, disk: disk)
    } catch {
      throw JournalFile.failure(path, "cannot be written", error.number)
    }
  }

  /// The session's state after all that was appended.
  package var image: SessionImage { state.withLock { $0.image } }

  /// The file's size in bytes, as far as it is written.
  package var fileSize: Int { state.withLock { $0.fileSize } }

  /// Appends one record, and answers its place, which is reported later.
  @discardableResult
  package func append(_ entries: [JournalEntry], time: MonotonicNanoseconds) -> Int {
    let (place, mustSchedule) = state.withLock { state -> (Int, Bool) in
      state.place += 1
      guard state.failure == nil else { return (state.place, false) }
      let record = JournalRecord(
        sequence: state.sequence + 1, wallMilliseconds: now(), time: time, entries: entries)
      do {
        state.waiting += try JournalFormat.encode(record)
      } catch {
        // No entry has a value that JSON can't express; if one had, nothing may be built on what is missing here.
        state.failure = JournalError(.inputOutput, "A record cannot be written: \(error). Start anew.")
      }
      state.sequence += 1
      state.image.apply(record)
      state.needsSync = state.needsSync || record.isDurable
      defer { state.isScheduled = true }
      return (state.place, !state.isScheduled)
    }
    if mustSchedule { queue.async { self.write() } }
    return place
  }

  /// Returns once little waits for the disk.
  package func room() async {
    await withCheckedContinuation { continuation in
      let hasRoom = state.withLock { state in
        let hasRoom = state.waiting.count < Self.maximumWaiting || state.failure != nil
        if !hasRoom { state.writers.append(continuation) }
        return hasRoom
      }
      if hasRoom { continuation.resume() }
    }
  }

  /// Returns once all that was appended is written, and gives up the file and its lock.
  package func close() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.write()
        self.file.withLock { $0.close() }
        continuation.resume()
      }
    }
  }

  /// Writes all that waits.
  private func write() {
    struct Work {
      var bytes: [UInt8]
      var place: Int
      var needsSync: Bool
      /// The image to put in the file's place, where it has grown too long.
      var image: (SessionImage, sequence: UInt64)?
      var failure: JournalError?
      var writers: [CheckedContinuation<Void, Never>]
    }
    let work = state.withLock { state -> Work in
      state.isScheduled = false
      let size = state.fileSize + state.waiting.count
      let isLarge = size > max(Self.smallestCompaction, 4 * state.compactedSize)
      defer {
        state.waiting = []
        state.needsSync = false
        state.writers = []
      }
      return Work(
        bytes: state.waiting, place: state.place, needsSync: state.needsSync,
        image: isLarge ? (state.image, state.sequence) : nil, failure: state.failure, writers: state.writers)
    }
    for writer in work.writers { writer.resume() }
    do throws(JournalError) {
      if let failure = work.failure { throw failure }
      // A session too large for one record continues as it is, and is tried again when it is four times as long.
      let image = work.image.flatMap { try? Self.compacted($0, sequence: $1) }
      try file.withLock { file throws(JournalError) in
        if let image { return try file.replace(with: image) }
        if !work.bytes.isEmpty { try file.append(work.bytes) }
        if work.needsSync { try file.synchronize() }
      }
      state.withLock { state in
        state.fileSize = image?.count ?? state.fileSize + work.bytes.count
        if work.image != nil { state.compactedSize = state.fileSize }
        if image != nil || work.needsSync { state.durableSize = state.fileSize }
      }
      report(self, .reached(work.place))
    } catch {
      let durableSize = state.withLock { state in
        state.failure = error
        return state.durableSize
      }
      // The next reader of the file must not take for kept what is in the system's memory alone, or what is half there:
      // nothing of it was acted on. Where even this fails, the next one cuts what it finds torn.
      file.withLock { try? $0.truncate(to: durableSize) }
      report(self, .failed(error))
    }
  }

  /// The file of a session's state alone.
  private static func compacted(_ image: SessionImage, sequence: UInt64) throws(JournalError) -> [UInt8] {
    let record = JournalRecord(
      sequence: sequence, wallMilliseconds: image.updatedAt, time: image.time, entries: [.image(image)])
    do {
      return JournalFormat.header + (try JournalFormat.encode(record))
    } catch {
      throw JournalError(.inputOutput, "The session cannot be written: \(error). Start anew.")
    }
  }
}
