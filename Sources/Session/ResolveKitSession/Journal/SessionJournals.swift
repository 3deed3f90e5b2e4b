import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// The journals of a driver: the one in use, the one whose session is about to be used, and what waits for them.
struct SessionJournals {
  /// Opens the journal of a session in a folder.
  typealias Opener = (_ sessionID: String, ResolveKitJournalFolder) throws(JournalError) -> SessionJournal

  /// The journal that a start takes up.
  enum Kept {
    case nothing
    case session(SessionImage)
    /// The disk was full before anything of this runtime's session was kept; its journal is empty, and the next one.
    case emptyJournal
  }

  private let configuration: ResolveKitJournalConfiguration?
  /// The server that journals are kept under.
  private let server: String
  private var current: SessionJournal?
  private var next: SessionJournal?
  private var gate = DurabilityGate()
  /// Whether a start takes up what an earlier process kept.
  private var takesUp = true
  /// Ends with the last of the journals that were left.
  private(set) var closing: Task<Void, Never>?

  init(_ configuration: ResolveKitJournalConfiguration?, server: String) {
    self.configuration = configuration
    self.server = server
  }

  /// The journal in use.
  var inUse: SessionJournal? { current }

  // MARK: Keeping

  /// Appends what must be kept of one event.
  mutating func keep(_ entries: [JournalEntry], at time: MonotonicNanoseconds) {
    guard let next, let start = entries.lastIndex(where: { $0.begins(next.sessionID) }) else {
      if let current { gate.append(current.append(entries, time: time)) }
      return
    }
    // What comes before is the end of another session.
    if start > 0 { current?.append(Array(entries[..<start]), time: time) }
    release(current)
    current = next
    self.next = nil
    gate.restart(at: next.append(Array(entries[start...]), time: time))
  }

  /// Whether an action may be performed now; else ``nextReady()`` returns it once all that was kept is on the disk.
  mutating func admits(_ action: TurnAction) -> Bool { gate.admits(action) }

  /// The calls whose tools ``nextReady()`` would start.
  var readyStarts: [ToolCallKey] { gate.readyStarts }

  mutating func nextReady() -> TurnAction? { gate.next() }

  /// Gives up the start of a tool. Returns whether it waited, and so never happens.
  mutating func withdrawStart(of key: ToolCallKey) -> Bool { gate.withdrawStart(of: key) }

  /// Takes a journal's progress; returns why nothing can be kept any more, nil where it can. Another journal's progress
  /// says nothing: a session's next one counts from the start again.
  mutating func take(_ progress: SessionJournal.Progress, of source: SessionJournal) -> JournalError? {
    switch progress {
    case .reached(let place):
      if source === current { gate.reach(place) }
      return nil
    case .failed(let error):
      return source === current || source === next ? error : nil
    }
  }

  /// Keeps nothing more, and forgets what waited for that.
  mutating func leave() {
    gate = DurabilityGate()
    release(current)
    release(next)
    current = nil
    next = nil
  }

  /// Closes a journal in the background.
  private mutating func release(_ journal: SessionJournal?) {
    guard let journal else { return }
    closing = Task { [closing] in
      await closing?.value
      await journal.close()
    }
  }

  // MARK: Taking up

  /// A new session was asked for: no start takes up an earlier process's any more.
  mutating func startNewSession() { takesUp = false }

  /// Opens the journal of the session that a start takes up.
  ///
  /// - Parameters:
  ///   - known: the id of this runtime's own session, which was stopped; nil where there is none.
  ///   - origin: the first record of an empty journal.
  mutating func takeUp(
    known: String?, origin: JournalEntry, at time: MonotonicNanoseconds, opening open: Opener
  ) throws(JournalError) -> Kept {
    guard let configuration, current == nil else { return .nothing }
    let folder = configuration.folder
    if let known {
      let opened = try open(known, folder)
      guard opened.image.sessionID == nil else { return use(opened) }
      begin(opened, origin: origin, at: time)
      return .emptyJournal
    }
    guard takesUp else { return .nothing }
    switch configuration.resumption {
    case .none: return .nothing
    case .session(let id):
      guard try folder.session(id).server == server else {
        throw JournalError(.otherSession, "Session \(id) is of another server. Give that server's URL.")
      }
      return use(try open(id, folder))
    case .latest:
      while let stored = try folder.latest(of: server) {
        do {
          return use(try open(stored.id, folder))
        } catch {
          // Another process was faster, and has it from now on.
          guard error.code == .inUse else { throw error }
        }
      }
      return .nothing
    }
  }

  /// Opens the journal of a session that is about to be used. Returns what an earlier process kept of it.
  mutating func prepare(
    _ id: String, origin: JournalEntry, at time: MonotonicNanoseconds, opening open: Opener
  ) throws(JournalError) -> SessionImage? {
    guard let configuration, current?.sessionID != id, next?.sessionID != id else { return nil }
    let opened = try open(id, configuration.folder)
    let image = opened.image
    guard image.sessionID != nil else {
      begin(opened, origin: origin, at: time)
      return nil
    }
    release(next)
    next = opened
    return image
  }

  private mutating func use(_ opened: SessionJournal) -> Kept {
    current = opened
    return .session(opened.image)
  }

  /// An empty journal is used once its session is.
  private mutating func begin(_ opened: SessionJournal, origin: JournalEntry, at time: MonotonicNanoseconds) {
    release(next)
    next = opened
    opened.append([origin], time: time)
  }
}

extension JournalEntry {
  /// Whether everything after this entry belongs to the session.
  fileprivate func begins(_ sessionID: String) -> Bool {
    if case .session(let id) = self { id == sessionID } else { false }
  }
}
