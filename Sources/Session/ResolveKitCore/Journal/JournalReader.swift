/// The contents of a journal's bytes.
///
/// A record that is cut off at the end is what a crash leaves, and is dropped. Bytes that are no record, with records
/// after them, are damage: the records after it count, and the damage is named, so that nothing is lost silently.
package struct JournalReader: Equatable, Sendable {
  /// The session's state after the last record.
  package private(set) var image = SessionImage()
  package private(set) var records = 0
  /// The last record's sequence.
  package private(set) var sequence: UInt64 = 0
  /// The end of the last whole record.
  package private(set) var end = 0
  /// Bytes after that.
  package private(set) var tornBytes = 0
  /// Byte ranges that are no record, with records after them.
  package private(set) var damage: [Range<Int>] = []
  /// Records whose numbers are missing between two that are there.
  package private(set) var missingRecords: UInt64 = 0

  package var isDamaged: Bool { !damage.isEmpty || missingRecords > 0 }

  private struct Frame {
    let record: JournalRecord
    let end: Int
  }

  /// Reads a whole file. Throws ``JournalError`` for one that is no journal, or is of a newer version.
  package init(_ bytes: [UInt8]) throws(JournalError) {
    let header = JournalFormat.header
    guard bytes.count >= header.count else {
      guard header.starts(with: bytes) else { throw Self.notAJournal }
      // The process ended while it made the file.
      tornBytes = bytes.count
      return
    }
    guard bytes.starts(with: header) else {
      guard bytes.starts(with: header.prefix { $0 != UInt8(ascii: " ") }) else { throw Self.notAJournal }
      throw JournalError(.newerVersion, "The journal was written by a newer version. Update, or give another folder.")
    }
    end = header.count
    var searched = 0
    var position = end
    while position < bytes.count {
      if let frame = try Self.frame(bytes, at: position) {
        take(frame.record)
        position = frame.end
        end = position
      } else if let next = try Self.nextFrame(bytes, after: position, searched: &searched) {
        damage.append(position..<next)
        position = next
      } else {
        tornBytes = bytes.count - position
        break
      }
    }
    // Undamaged, its process ended before the session was kept: what there is of it is begun again.
    if isDamaged, image.sessionID == nil {
      throw JournalError(.damaged, "The journal does not say which session it is of. Remove it, or put its copy back.")
    }
  }

  private static let notAJournal = JournalError(
    .notAJournal, "The file is no journal. Give another folder, or move the file away.")

  private mutating func take(_ record: JournalRecord) {
    // A compacted file begins with any number.
    if records > 0, record.sequence > sequence {
      let (sum, overflows) = missingRecords.addingReportingOverflow(record.sequence - sequence - 1)
      missingRecords = overflows ? .max : sum
    }
    sequence = record.sequence
    records += 1
    image.apply(record)
  }

  private static func frame(_ bytes: [UInt8], at position: Int) throws(JournalError) -> Frame? {
    let size = JournalFormat.frameHeaderSize
    guard bytes.count - position >= size, bytes[position..<position + 4].elementsEqual(JournalFormat.marker) else {
      return nil
    }
    let all = bytes[...]
    let length = Int(JournalFormat.number(UInt32.self, in: all, at: position + 4))
    guard length <= JournalFormat.maximumPayload, length <= bytes.count - position - size else { return nil }
    let payload = position + size
    var crc = CRC32C()
    crc.add(bytes[position + 4..<payload - 4])
    crc.add(bytes[payload..<payload + length])
    guard JournalFormat.number(UInt32.self, in: all, at: payload - 4) == crc.checksum else { return nil }
    let sequence = JournalFormat.number(UInt64.self, in: all, at: position + 8)
    guard sequence <= JournalFormat.maximumSequence else { return nil }
    do {
      let record = JournalRecord(
        sequence: sequence,
        wallMilliseconds: JournalFormat.number(UInt64.self, in: all, at: position + 16),
        time: JournalFormat.number(UInt64.self, in: all, at: position + 24),
        entries: try JournalFormat.entries(bytes[payload..<payload + length]))
      return Frame(record: record, end: payload + length)
    } catch {
      throw JournalError(
        .newerVersion,
        "The journal has a whole record that is not understood (\(error)). Update, or give another folder.")
    }
  }

  /// The offset of the next whole record. Gives up where markers lie so close that looking at each would take too
  /// long.
  private static func nextFrame(
    _ bytes: [UInt8], after position: Int, searched: inout Int
  ) throws(JournalError) -> Int? {
    var candidate = position + 1
    while candidate + JournalFormat.frameHeaderSize <= bytes.count {
      if bytes[candidate] == JournalFormat.marker[0], bytes[candidate + 1] == JournalFormat.marker[1] {
        searched += 1
        guard searched <= 4096 else { return nil }
        if try frame(bytes, at: candidate) != nil { return candidate }
      }
      candidate += 1
    }
    return nil
  }
}
