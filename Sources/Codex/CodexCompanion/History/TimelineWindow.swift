/// The newest entries of a chat, as many as a page may have.
struct TimelineWindow: Sendable {
  /// The result of one line.
  struct Entry: Hashable, Sendable {
    var line: Int
    var message: ChatMessage?
    var activities: [ChatActivity] = []

    /// About what it takes in an answer.
    var bytes: Int {
      var bytes = message.map { $0.text.utf8.count + 200 } ?? 0
      for activity in activities {
        bytes += 300 + activity.title.utf8.count + (activity.detail?.utf8.count ?? 0)
        bytes += (activity.commandPreview?.utf8.count ?? 0) + 3 * (activity.filePath?.utf8.count ?? 0)
      }
      return bytes
    }
  }

  private let maximumEntries: Int
  private let maximumBytes: Int
  private var entries: [Entry] = []
  /// Entries at the front that count no more; removed now and then, not one by one.
  private var dropped = 0
  private var bytes = 0
  private var hasDropped = false

  init(entries: Int, bytes: Int) {
    maximumEntries = max(entries, 1)
    maximumBytes = bytes
  }

  mutating func append(_ entry: Entry) {
    entries.append(entry)
    bytes += entry.bytes
    // The last one stays however large it is.
    while entries.count - dropped > 1, entries.count - dropped > maximumEntries || bytes > maximumBytes {
      bytes -= entries[dropped].bytes
      entries[dropped] = Entry(line: entries[dropped].line)
      dropped += 1
      hasDropped = true
    }
    if dropped > maximumEntries {
      entries.removeFirst(dropped)
      dropped = 0
    }
  }

  /// The messages in the order of their lines; the activities by their beginning, of one id the last.
  func timeline(skippedLines: Int) -> ChatTimeline {
    let entries = entries[dropped...]
    var places: [String: Int] = [:]
    var activities: [ChatActivity] = []
    for activity in entries.flatMap(\.activities) {
      if let place = places[activity.id] {
        activities[place] = activity
      } else {
        places[activity.id] = activities.count
        activities.append(activity)
      }
    }
    // A command that outlived its turn ends behind what began after it.
    let order = activities.indices.sorted { (activities[$0].createdAt, $0) < (activities[$1].createdAt, $1) }
    return ChatTimeline(
      messages: entries.compactMap(\.message), activities: order.map { activities[$0] },
      olderCursor: hasDropped ? entries.first?.line : nil, skippedLines: skippedLines)
  }
}
