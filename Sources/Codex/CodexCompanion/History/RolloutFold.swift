/// Makes a chat's timeline of the bytes of its rollout.
struct RolloutFold: Sendable {
  private let chat: String
  private let limits: HistoryLimits
  /// The line that the page ends before.
  private let before: Int?
  private var lines: RolloutLineReader
  private var window: TimelineWindow
  private var folder: String?
  /// The time of the person's last message, in milliseconds.
  private var askedAt: Int?
  /// The time of the last line that has one, in milliseconds.
  private var time = 0
  /// Whether nothing that follows belongs to the page.
  private(set) var isFull = false

  /// - Parameters:
  ///   - before: The cursor of a page; nil for the newest.
  ///   - limit: The most entries of the page.
  init(chat: String, limits: HistoryLimits, before: Int? = nil, limit: Int? = nil) {
    self.chat = chat
    self.limits = limits
    self.before = before
    lines = RolloutLineReader(limit: limits.line)
    window = TimelineWindow(entries: min(limit ?? limits.entries, limits.entries), bytes: limits.pageBytes)
  }

  /// Takes the next bytes.
  mutating func append(_ bytes: [UInt8]) {
    var reader = lines
    lines = RolloutLineReader(limit: 0)
    reader.append(bytes) { take($0) }
    lines = reader
  }

  /// The timeline of all that was taken. A last line without an end counts if it is whole.
  func timeline() -> ChatTimeline {
    var last = self
    if let line = lines.unfinished { last.take(line) }
    return last.window.timeline(skippedLines: lines.skipped)
  }

  private mutating func take(_ line: RolloutLineReader.Line) {
    guard line.number < before ?? .max else {
      isFull = true
      return
    }
    guard let (event, lineTime, turnID) = RolloutEvent.read(line.bytes, folder: folder) else { return }
    time = lineTime ?? time
    switch event {
    case .session(let folder, _): self.folder = folder
    case .message(let role, let text, let phase): addMessage(role, text, phase, turnID, line.number)
    case .activities(var activities):
      for index in activities.indices { activities[index].turnID = turnID }
      window.append(
        TimelineWindow.Entry(line: line.number, activities: Array(activities.prefix(limits.activitiesPerLine))))
    }
  }

  private mutating func addMessage(
    _ role: ChatMessage.Role, _ text: String, _ phase: ChatMessage.Phase?, _ turnID: String?, _ line: Int
  ) {
    var message = ChatMessage(
      id: "\(chat):\(role.rawValue):\(line)", role: role, text: cut(text), createdAt: time / 1_000, phase: phase,
      turnID: turnID)
    switch role {
    case .user: askedAt = time
    case .assistant:
      if phase == .finalAnswer, let askedAt {
        let seconds = Int((Double(time - askedAt) / 1_000).rounded())
        message.workedDurationSeconds = seconds > 0 ? seconds : nil
      }
    }
    window.append(TimelineWindow.Entry(line: line, message: message))
  }

  private func cut(_ text: String) -> String {
    guard text.utf8.count > limits.textBytes else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limits.textBytes)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return text[..<end] + "\n\n[Message truncated]"
  }
}
