import Glibc

/// The folder `$CODEX_HOME/sessions`, with rollouts by year, month and day.
///
/// The folder itself may be reached through links; within it none is followed, so that no file outside is read.
struct RolloutFolder: Sendable {
  private let path: String
  private let limits: HistoryLimits

  init(_ path: String, limits: HistoryLimits) {
    self.path = path
    self.limits = limits
  }

  /// The files that a thread's history is made of, the oldest first, with the bytes that count of each but the last.
  ///
  /// Where turns were taken back, and where a thread was forked, a segment begins with the name of the one before it and
  /// with how much of that still counts. Throws ``HistoryError``.
  func segments(of threadID: String) throws(HistoryError) -> [(file: RolloutFile, end: Int?)] {
    guard RolloutName.isID(threadID) else { throw HistoryError(.invalidID, "That is no id of a chat.") }
    guard let last = try newest(where: { $0.threadID == threadID }) else {
      throw HistoryError(.notFound, "The chat has no history yet.")
    }
    var segments: [(file: RolloutFile, end: Int?)] = [(last, nil)]
    var file = last
    while let base = try base(of: file) {
      guard segments.count < limits.segments else {
        throw HistoryError(.unreadable, "The chat's history is made of too many files, or of a circle of them.")
      }
      guard let before = try newest(where: { $0.segmentID == base.segmentID }) else {
        throw HistoryError(.unreadable, "The beginning of the chat's history is gone: there is no file of a segment.")
      }
      segments.insert((before, base.end), at: 0)
      file = before
    }
    return segments
  }

  /// The place that a file continues from, by its first line.
  private func base(of file: RolloutFile) throws(HistoryError) -> RolloutEvent.Base? {
    var reader = RolloutLineReader(limit: limits.line)
    var first: [UInt8]?
    var offset = 0
    while first == nil {
      let bytes = try file.read(at: offset, count: 64 << 10)
      offset += bytes.count
      guard !bytes.isEmpty, offset <= limits.line else { break }
      reader.append(bytes) { first = first ?? $0.bytes }
    }
    guard let first, case .session(_, let base) = RolloutEvent.read(first, folder: nil)?.event else { return nil }
    return base
  }

  /// The file with the greatest segment, which is the latest, among those whose names are wanted.
  private func newest(where isWanted: (RolloutName) -> Bool) throws(HistoryError) -> RolloutFile? {
    let root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard root >= 0 else {
      if errno == ENOENT { return nil }
      throw HistoryError(.unreadable, "'\(path)' cannot be opened: \(String(cString: strerror(errno))).")
    }
    var search = Search(remaining: limits.files)
    try search.look(in: root, levels: [4, 2, 2], isWanted)
    return search.found
  }

  /// The best file so far.
  private struct Search {
    var remaining: Int
    var found: RolloutFile?

    /// Looks through a folder, which it closes, with so many levels of folders whose names are numbers of so many digits.
    mutating func look(
      in descriptor: Int32, levels: ArraySlice<Int>, _ isWanted: (RolloutName) -> Bool
    ) throws(HistoryError) {
      guard let directory = fdopendir(descriptor) else {
        close(descriptor)
        return
      }
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        remaining -= 1
        guard remaining >= 0 else {
          throw HistoryError(.unreadable, "There are too many files in the folder of histories to find one.")
        }
        let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        }
        if let digits = levels.first {
          guard name.utf8.count == digits, name.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
          let folder = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
          if folder >= 0 { try look(in: folder, levels: levels.dropFirst(), isWanted) }
        } else if let parts = RolloutName(name), isWanted(parts), parts.segmentID > found?.name.segmentID ?? "" {
          // Without O_NONBLOCK opening a pipe would wait for its writer.
          let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
          // A link, or what is no file, is not what codex wrote.
          if file >= 0, let file = try? RolloutFile(parts, takingDescriptor: file) { found = file }
        }
      }
    }
  }
}
