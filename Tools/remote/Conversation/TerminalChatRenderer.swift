import CodexRemoteClient
import StreamTransport
import TerminalIO

/// For a person: the answer as it streams, everything else on lines of its own, nothing painted over.
///
/// The companion's texts are made safe here: no control of a model, a command or a file's name reaches the terminal.
struct TerminalChatRenderer: ChatRenderer {
  /// The entries of a history that are shown.
  static let shownHistory = 40
  /// Characters of a command or its output that are shown in a row.
  private static let rowLength = 200

  private let style: OutputStyle
  private let statusStyle: OutputStyle
  /// Whether a line is being typed meanwhile: then whole lines alone are written above it.
  private let writesWholeLines: Bool
  private let columns: @Sendable () -> Int
  private var open: RemoteEntryID?
  private var text = StreamedText()
  private var markdown: MarkdownStream?
  /// The beginning of a line that is not complete yet.
  private var held = ""
  private var isMidLine = false
  private var isLost = false

  init(
    style: OutputStyle, statusStyle: OutputStyle, writesWholeLines: Bool = false,
    columns: @escaping @Sendable () -> Int = { 80 }
  ) {
    self.style = style
    self.statusStyle = statusStyle
    self.writesWholeLines = writesWholeLines
    self.columns = columns
  }

  mutating func render(_ update: RemoteUpdate, isOwn: (String) -> Bool) -> [TerminalOutput] {
    switch update {
    case .loaded(let history):
      let shown = history.suffix(Self.shownHistory)
      let left = history.count - shown.count
      return endText() + (left > 0 ? [status("\(left) earlier entries; /history shows them")] : [])
        + shown.flatMap { whole($0) }
    case .earlier(let page, let hasMore):
      let count = page.count == 1 ? "1 earlier entry" : "\(page.count) earlier entries"
      return line(hasMore ? "\(count); /earlier shows more" : "\(count), from the beginning")
        + page.flatMap { whole($0) }
        + [status("here ends what was earlier")]
    case .resynchronized: return line("too much came at once, and a part is not shown; /history has it")
    case .link(let link): return note(link)
    case .turnStarted, .turnContinues: return []
    case .turnEnded(_, let status, let error):
      let outputs = endText()
      if let error { return outputs + [self.status("the turn failed: \(error)")] }
      return outputs + (status == "completed" ? [] : [self.status("the turn: \(status)")])
    case .text(let id, let appended): return begin(id) + show(text.append(appended))
    case .entry(let entry): return entered(entry, isOwn)
    case .approvalNeeded: return endText()
    case .approvalGone(_, let reason): return line(reason)
    case .decisionRefused(_, let reason): return line("the answer does not count: \(reason)")
    case .message(let message): return sent(message)
    case .notice(let words): return line(words)
    }
  }

  mutating func render(_ reply: CommandReply, of command: String) -> [TerminalOutput] {
    let said = [reply.note, reply.failure?.message].compactMap(\.self)
    return (reply.entries ?? []).flatMap { whole($0) }
      + reply.lines.map { .answer(TerminalText.line($0) + "\n") } + said.map { status($0) }
  }

  /// An entry in full, as a history has it.
  private func whole(_ entry: RemoteEntry) -> [TerminalOutput] {
    guard case .message(let role, let words) = entry.content else { return [status(Self.row(entry))] }
    var shown = TerminalText.safe(words)
    if style == .styled, role == .assistant {
      var stream = MarkdownStream(width: width)
      shown = stream.append(shown, width: width) + stream.finish()
    }
    let name = role == .user ? "you" : "codex"
    return [status(name), .answer(shown + (shown.hasSuffix("\n") ? "" : "\n"))]
  }

  /// One line on something that is no message.
  static func row(_ entry: RemoteEntry) -> String {
    switch entry.content {
    case .message(_, let text): return short(text)
    case .command(let command, _, let exitCode, let output):
      switch entry.progress {
      case .inProgress: return "runs \(short(command))"
      case .declined: return "not run: \(short(command))"
      case .completed, .failed:
        let code = exitCode.map { $0 == 0 ? "" : ", exit code \($0)" } ?? ""
        let last = output?.split(whereSeparator: \.isNewline).last.map { ": \(short(String($0)))" } ?? ""
        return "\(entry.progress == .failed ? "failed" : "ran") \(short(command))\(code)\(last)"
      }
    case .fileChange(let changes):
      let paths = short(changes.map { "\($0.kind) \($0.path)" }.joined(separator: ", "))
      return entry.progress == .completed ? "changed: \(paths)" : "\(entry.progress.words) changes: \(paths)"
    case .toolCall(let server, let tool): return "\(entry.progress.words) \(short(tool)) of \(short(server))"
    case .activity(let title, let detail): return short(title) + (detail.map { ": \(short($0))" } ?? "")
    }
  }

  private static func short(_ text: String) -> String {
    let line = TerminalText.line(text)
    return line.count > rowLength ? line.prefix(rowLength) + "…" : line
  }

  private func status(_ words: String) -> TerminalOutput {
    TerminalOutput.statusLine("[\(words)]", style: statusStyle)
  }

  /// A message that is being written continues below.
  private mutating func line(_ words: String) -> [TerminalOutput] { flush() + [status(words)] }

  private var width: Int { min(columns(), 100) }

  private mutating func entered(_ entry: RemoteEntry, _ isOwn: (String) -> Bool) -> [TerminalOutput] {
    switch entry.content {
    case .message(.user, _):
      if let requestID = entry.requestID, isOwn(requestID) { return [] }
      return endText() + whole(entry)
    case .message(.assistant, let words):
      guard entry.progress != .inProgress else { return begin(entry.id) }
      let before = begin(entry.id)
      let (new, isContinued) = text.advance(to: words)
      // Codex sends a text's pieces to a connected companion, and the whole in any case.
      let outputs = before + (isContinued ? [] : line("a part is missing above; the whole text:")) + show(new)
      return outputs + endText() + (entry.progress == .failed ? [status("broken off")] : [])
    case .command, .fileChange, .toolCall, .activity:
      return line(Self.row(entry))
    }
  }

  /// A message begins, or continues.
  private mutating func begin(_ id: RemoteEntryID) -> [TerminalOutput] {
    guard open != id else { return [] }
    let outputs = endText()
    open = id
    return outputs
  }

  private mutating func show(_ new: String) -> [TerminalOutput] {
    guard !new.isEmpty else { return [] }
    var shown = new
    if style == .styled {
      let width = width
      if markdown == nil { markdown = MarkdownStream(width: width) }
      shown = markdown?.append(new, width: width) ?? ""
    }
    return write(shown)
  }

  private mutating func write(_ shown: String) -> [TerminalOutput] {
    guard !shown.isEmpty else { return [] }
    guard writesWholeLines else {
      isMidLine = !shown.hasSuffix("\n")
      return [.answer(shown)]
    }
    held += shown
    guard let end = held.lastIndex(of: "\n") else { return [] }
    let lines = String(held[...end])
    held.removeSubrange(...end)
    return [.answer(lines)]
  }

  /// Shows what was held back of the text so far; what follows begins a new line.
  private mutating func flush() -> [TerminalOutput] {
    var rest = held + (markdown?.finish() ?? "")
    markdown = nil
    held = ""
    if isMidLine || !rest.isEmpty { rest += "\n" }
    isMidLine = false
    return rest.isEmpty ? [] : [.answer(rest)]
  }

  private mutating func endText() -> [TerminalOutput] {
    let outputs = flush()
    text.reset()
    open = nil
    return outputs
  }

  /// Trouble and its end are worth a line, the ordinary way to a connection is not.
  private mutating func note(_ link: RemoteLink) -> [TerminalOutput] {
    // The text continues after this, so that what is held back of it stays so.
    let before: [TerminalOutput] = isMidLine ? [.answer("\n")] : []
    switch link {
    case .idle, .connecting: return []
    case .open(let connection):
      guard isLost else { return [] }
      isLost = false
      isMidLine = false
      return before + [status("connected again over \(connection.transport == .http3 ? "HTTP/3" : "HTTP/1.1")")]
    case .waiting(let reason, let retryIn):
      guard retryIn > .milliseconds(300), !isLost else { return [] }
      isLost = true
      isMidLine = false
      return before + [status("the connection is lost: \(reason)")]
    case .closed(_, let reason):
      isMidLine = false
      return before + [status("the chat is closed: \(reason)")]
    }
  }

  /// The words of a message that was not sent: nobody has to type them again.
  private func text(of message: RemoteOutgoing) -> [TerminalOutput] {
    TerminalText.safe(message.text).split(separator: "\n", omittingEmptySubsequences: false).map {
      .status("  \($0)\n")
    }
  }

  private mutating func sent(_ message: RemoteOutgoing) -> [TerminalOutput] {
    switch message.delivery {
    case .sending, .delivered: []
    case .retrying(1, let reason): line("not sent yet, it is kept and tried again; /withdraw takes it back: \(reason)")
    case .retrying: []
    case .failed(_, let reason): line("not sent: \(reason)") + text(of: message)
    case .dropped:
      line("the turn ended before codex took this up, and codex will not read it; send it again where it still holds")
        + text(of: message)
    case .withdrawn(let mayHaveArrived):
      line(mayHaveArrived ? "withdrawn, and may have arrived all the same" : "withdrawn") + text(of: message)
    }
  }
}

extension RemoteEntry.Progress {
  /// For a row.
  var words: String {
    switch self {
    case .inProgress: "running"
    case .completed: "done"
    case .failed: "failed"
    case .declined: "declined"
    }
  }
}
