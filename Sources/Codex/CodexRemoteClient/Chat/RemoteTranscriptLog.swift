/// A chat's entries in order, found by their ids, within a limit of their number and of their bytes.
struct RemoteTranscriptLog: Equatable, Sendable {
  private(set) var entries: [RemoteEntry] = []
  private let limits: RemoteChatLimits
  /// An entry's place, counted from the first one that there was; less than 0 for earlier pages.
  private var places: [RemoteEntryID: Int] = [:]
  private var dropped = 0
  private var bytes = 0
  /// Whether what comes before the first entry is what was never held.
  private var isWhole = true

  init(limits: RemoteChatLimits) { self.limits = limits }

  subscript(id: RemoteEntryID) -> RemoteEntry? { places[id].map { entries[$0 - dropped] } }

  /// Begins again with a history.
  mutating func replace(with history: [RemoteEntry]) {
    self = RemoteTranscriptLog(limits: limits)
    for entry in history { put(entry) }
  }

  /// Puts a page of the history before all others, where there is room for all of it and nothing is missing in between.
  mutating func prepend(_ page: [RemoteEntry]) {
    let size = page.reduce(0) { $0 + $1.size }
    guard isWhole, entries.count + page.count <= limits.entries, bytes + size <= limits.bytes else {
      isWhole = false
      return
    }
    entries.insert(contentsOf: page, at: 0)
    dropped -= page.count
    bytes += size
    for (index, entry) in page.enumerated() { places[entry.id] = dropped + index }
  }

  /// Adds an entry, or replaces the one of its id where that stands.
  mutating func put(_ entry: RemoteEntry) {
    if let place = places[entry.id] {
      bytes += entry.size - entries[place - dropped].size
      entries[place - dropped] = entry
    } else {
      places[entry.id] = dropped + entries.count
      entries.append(entry)
      bytes += entry.size
    }
    trim()
  }

  /// Adds to a message that is being written; what is beyond the limit of a message is left out. Returns what was added.
  mutating func append(_ text: String, to id: RemoteEntryID) -> String? {
    let index: Int
    if let place = places[id] {
      index = place - dropped
    } else {
      put(RemoteEntry(id: id, content: .message(role: .assistant, text: ""), progress: .inProgress))
      guard let place = places[id] else { return nil }
      index = place - dropped
    }
    guard entries[index].progress == .inProgress, case .message(let role, var whole) = entries[index].content,
      whole.utf8.count + text.utf8.count <= limits.text
    else { return nil }
    // Not two copies of a long text at once.
    entries[index].content = .message(role: role, text: "")
    whole += text
    entries[index].content = .message(role: role, text: whole)
    bytes += text.utf8.count
    trim()
    return text
  }

  /// The oldest give way, in steps, since all that follow move up.
  private mutating func trim() {
    guard entries.count > limits.entries || bytes > limits.bytes else { return }
    var count = 0
    var left = bytes
    let goal = (entries: limits.entries - limits.entries / 8, bytes: limits.bytes - limits.bytes / 8)
    while count < entries.count - 1, entries.count - count > goal.entries || left > goal.bytes {
      left -= entries[count].size
      places[entries[count].id] = nil
      count += 1
    }
    entries.removeFirst(count)
    isWhole = isWhole && count == 0
    dropped += count
    bytes = left
  }
}
