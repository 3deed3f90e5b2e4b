import ResolveKitCore

/// Which journal a process keeps: the one in use, and the one whose session is about to be used. The order of both is the
/// shell's, whose own type writes files.
final class ClientJournals {
  private let disk: ClientDisk
  private let make: (String) throws(JournalError) -> JournalWriter
  private(set) var current: JournalWriter?
  private var next: JournalWriter?
  /// The first place of a journal that takes another's place, or of a record.
  enum Kept {
    case nothing
    case record(Int)
    case restart(Int)
  }

  init(disk: ClientDisk, make: @escaping (String) throws(JournalError) -> JournalWriter) {
    self.disk = disk
    self.make = make
  }

  /// The session that a start takes up; nil where there is none.
  func takeUp(
    _ known: String?, at time: MonotonicNanoseconds, wall: UInt64
  ) throws(JournalError) -> SessionImage? {
    guard current == nil, let session = known ?? disk.latest else { return nil }
    let opened = try make(session)
    guard opened.image.sessionID != nil else {
      begin(opened, at: time, wall: wall)
      return nil
    }
    current = opened
    return opened.image
  }

  /// The session is about to be used. Returns what an earlier process kept of it.
  func prepare(_ session: String, at time: MonotonicNanoseconds, wall: UInt64) throws(JournalError) -> SessionImage? {
    guard current?.session != session, next?.session != session else { return nil }
    let opened = try make(session)
    guard opened.image.sessionID != nil else {
      begin(opened, at: time, wall: wall)
      return nil
    }
    next?.close()
    next = opened
    return opened.image
  }

  private func begin(_ opened: JournalWriter, at time: MonotonicNanoseconds, wall: UInt64) {
    next?.close()
    next = opened
    _ = opened.append([.origin(server: "https://simulated", deviceID: "device")], at: time, wall: wall)
  }

  /// Appends what must be kept of one event.
  func keep(_ entries: [JournalEntry], at time: MonotonicNanoseconds, wall: UInt64) -> Kept {
    guard let next, let start = entries.lastIndex(where: { $0 == .session(id: next.session) }) else {
      return current.map { .record($0.append(entries, at: time, wall: wall)) } ?? .nothing
    }
    if start > 0 { _ = current?.append(Array(entries[..<start]), at: time, wall: wall) }
    current?.close()
    current = next
    self.next = nil
    return .restart(next.append(Array(entries[start...]), at: time, wall: wall))
  }

  func leave() {
    current?.close()
    next?.close()
    current = nil
    next = nil
  }

  func crash(kept share: Double) {
    current?.crash(kept: share)
    next?.crash(kept: share)
  }

  func isInUse(_ journal: JournalWriter) -> Bool { journal === current }
}
