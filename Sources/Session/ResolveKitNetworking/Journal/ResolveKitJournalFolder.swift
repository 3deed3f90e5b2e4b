import Foundation
public import ResolveKitCore
package import StreamTransport

/// A folder of journals, one file a session: for its owner alone, one folder for each installation of an app.
public struct ResolveKitJournalFolder: Hashable, Sendable {
  /// The path of the folder; made where it is missing.
  public let path: String

  /// Names a folder; nothing is read or made before it is used.
  public init(path: String = ResolveKitJournalFolder.standardPath) {
    self.path = path
  }

  /// `$XDG_STATE_HOME/agent-stream/sessions`, or below `~/.local/state`.
  public static var standardPath: String {
    StateFolder(environment: ProcessInfo.processInfo.environment).path + "/sessions"
  }

  /// The stored sessions, the one that was used last first. A file that cannot be read is left out of the
  /// list. Throws ``/ResolveKitCore/JournalError`` where the folder cannot be read.
  public func sessions() throws(JournalError) -> [ResolveKitStoredSession] {
    try names().filter { $0.hasSuffix(Self.suffix) }
      .compactMap { name in try? stored(at: "\(path)/\(name)") }
      .sorted { ($0.updatedAt, $0.id) > ($1.updatedAt, $1.id) }
  }

  /// The files; none where there is no folder.
  func names() throws(JournalError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      guard FileManager.default.fileExists(atPath: path) else { return [] }
      throw JournalError(.inputOutput, "'\(path)' cannot be read: \(error.localizedDescription). Give another folder.")
    }
  }

  /// The session with that id. Throws ``/ResolveKitCore/JournalError``: `notFound`, or why its journal cannot be read.
  public func session(_ id: String) throws(JournalError) -> ResolveKitStoredSession {
    let file = file(of: id)
    guard FileManager.default.fileExists(atPath: file) else { throw notFound(id) }
    let session = try stored(at: file)
    guard session.id == id else {
      throw JournalError(.otherSession, "The journal of session \(id) is of another. Remove it.")
    }
    return session
  }

  /// Forgets a session. Throws ``/ResolveKitCore/JournalError``: `inUse` while a process has it open.
  public func remove(_ id: String) throws(JournalError) {
    let path = file(of: id)
    guard FileManager.default.fileExists(atPath: path) else { throw notFound(id) }
    try JournalFile(path: path).remove()
    removeRemains(of: URL(filePath: path).lastPathComponent, among: try names())
  }

  private func notFound(_ id: String) -> JournalError {
    JournalError(.notFound, "There is no session \(id) in '\(path)'. List the sessions to see which are.")
  }

  /// The session of a server that was used last and that no process has open; nil where there is none. A file that cannot
  /// be read is passed over. Throws ``/ResolveKitCore/JournalError`` where the folder cannot be read.
  ///
  /// A journal is written at the time that its last record has, or later, so that only files as new as the best one so far
  /// have to be read.
  ///
  /// - Parameter onRead: called with each file that is read.
  package func latest(
    of server: String, onRead: (String) -> Void = { _ in }
  ) throws(JournalError) -> ResolveKitStoredSession? {
    let files = try names().filter { $0.hasSuffix(Self.suffix) }
      .compactMap { name in Self.modified("\(path)/\(name)").map { (path: "\(path)/\(name)", date: $0) } }
      .sorted { $0.date > $1.date }
    var best: ResolveKitStoredSession?
    for file in files {
      if let best, file.date.addingTimeInterval(1) < best.updatedAt { break }
      guard !JournalFile.isLocked(file.path) else { continue }
      onRead(file.path)
      guard let found = try? stored(at: file.path) else { continue }
      guard found.server == server, !found.isInUse else { continue }
      if best.map({ ($0.updatedAt, $0.id) < (found.updatedAt, found.id) }) ?? true { best = found }
    }
    return best
  }

  private static func modified(_ path: String) -> Date? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
  }

  /// Opens the journal of a session for writing, and makes what is missing. Throws ``/ResolveKitCore/JournalError``.
  package func open(
    _ id: String, disk: Disk = .system,
    now: @escaping @Sendable () -> UInt64 = { TransportClock.continuous.millisecondsSince1970 },
    report: @escaping @Sendable (SessionJournal, SessionJournal.Progress) -> Void
  ) throws(JournalError) -> SessionJournal {
    do {
      try PrivateFile.makeDirectory(path)
    } catch {
      throw JournalError(
        .inputOutput, "\(error.description). Give another folder.", errorNumber: error.number)
    }
    let journal = try SessionJournal(path: file(of: id), sessionID: id, disk: disk, now: now, report: report)
    if let other = journal.image.sessionID, other != id {
      throw JournalError(.otherSession, "The journal of session \(id) is of session \(other). Remove it.")
    }
    return journal
  }

  static let suffix = ".journal"

  /// A name that any id has one of: its letters and digits for people, and a checksum that distinguishes what is left out.
  private func file(of id: String) -> String {
    let readable = id.unicodeScalars.prefix(64).map { scalar in
      ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == "-"
        ? Character(scalar) : "_"
    }
    let sum = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    return "\(path)/\(String(readable))-\(String(sum, radix: 36))\(Self.suffix)"
  }

  private func stored(at path: String) throws(JournalError) -> ResolveKitStoredSession {
    let image = try JournalReader(try JournalFile.readAll(path)).image
    guard let session = ResolveKitStoredSession(image, isInUse: JournalFile.isLocked(path)) else {
      throw JournalError(.notFound, "'\(path)' holds no session yet.")
    }
    return session
  }
}
