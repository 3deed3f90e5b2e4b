import NIOPosix

/// The histories of chats, read from codex's rollout files and never written.
///
/// Of the chats that were asked for last, what has been read is kept: the next answer reads what was added since.
package actor RolloutHistory {
  /// The bytes that are read at a time.
  private static let chunk = 64 << 10

  /// The place up to which a chat's history was read.
  private struct Progress {
    /// The files, and how much of each but the last.
    var segments: [RolloutFile.Identity]
    /// The offset in the last file.
    var offset: Int
    var fold: RolloutFold
  }

  private let folder: RolloutFolder
  private let limits: HistoryLimits
  private var progress: [String: Progress] = [:]
  /// The chats in the order in which they were asked for, the latest at the end.
  private var order: [String] = []
  private var readers = 0

  /// - Parameter codexHome: The folder `$CODEX_HOME`.
  package init(codexHome: String, limits: HistoryLimits = HistoryLimits()) {
    folder = RolloutFolder(codexHome + "/sessions", limits: limits)
    self.limits = limits
  }

  /// A page of a chat's history: the newest, or the one before a cursor that an earlier page gave.
  ///
  /// Throws ``HistoryError``; `notFound` for a chat that had no turn yet.
  package func timeline(
    of chat: String, before cursor: Int? = nil, limit: Int? = nil
  ) async throws(HistoryError) -> ChatTimeline {
    guard readers < limits.readers else {
      throw HistoryError(.busy, "Too many histories are read at once; try again in a moment.")
    }
    readers += 1
    defer { readers -= 1 }
    let folder = folder
    let segments = try await Self.blocking { () throws(HistoryError) in try folder.segments(of: chat) }
    guard let last = segments.last else { return ChatTimeline() }
    guard cursor == nil, limit == nil else {
      var fold = RolloutFold(chat: chat, limits: limits, before: cursor, limit: limit)
      for segment in segments where !fold.isFull {
        (fold, _) = try await Self.read(segment.file, from: 0, to: segment.end, into: fold)
      }
      return fold.timeline()
    }
    let identities = segments.map(\.file.identity)
    var current: Progress
    if let kept = progress[chat], kept.segments == identities, try last.file.size() >= kept.offset {
      current = kept
    } else {
      current = Progress(segments: identities, offset: 0, fold: RolloutFold(chat: chat, limits: limits))
      for segment in segments.dropLast() {
        (current.fold, _) = try await Self.read(segment.file, from: 0, to: segment.end, into: current.fold)
      }
    }
    (current.fold, current.offset) = try await Self.read(
      last.file, from: current.offset, to: nil, into: current.fold)
    keep(current, of: chat)
    return current.fold.timeline()
  }

  private func keep(_ current: Progress, of chat: String) {
    progress[chat] = current
    order.removeAll { $0 == chat }
    order.append(chat)
    while order.count > limits.keptChats { progress[order.removeFirst()] = nil }
  }

  /// Reads up to an offset, or to the end, and returns how far it came.
  private static func read(
    _ file: RolloutFile, from start: Int, to end: Int?, into fold: RolloutFold
  ) async throws(HistoryError) -> (RolloutFold, Int) {
    var fold = fold
    var offset = start
    while !fold.isFull {
      let at = offset
      let count = min(chunk, max((end ?? .max) - at, 0))
      let bytes = try await blocking { () throws(HistoryError) in try file.read(at: at, count: count) }
      guard !bytes.isEmpty else { break }
      guard !Task.isCancelled else { throw HistoryError(.cancelled, "Nobody waits for the history any more.") }
      fold.append(bytes)
      offset += bytes.count
    }
    return (fold, offset)
  }

  /// Runs what waits for the disk where nothing else has to wait for it.
  private static func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws(HistoryError) -> Value
  ) async throws(HistoryError) -> Value {
    do {
      return try await NIOThreadPool.singleton.runIfActive(body)
    } catch let error as HistoryError {
      throw error
    } catch {
      throw HistoryError(.cancelled, "The history was not read, since this process ends.", cause: error)
    }
  }
}
