import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// What outlives the process: kept before it is acted on, taken up at the next start.
extension SessionDriver {
  // MARK: Keeping

  /// Appends what must be kept of one event, and answers the place that its actions may have to wait for; nil without a
  /// journal.
  func keep(_ entries: [JournalEntry]) -> Int? {
    guard !entries.isEmpty else { return nil }
    let time = now()
    guard let next = nextJournal,
      let start = entries.lastIndex(where: { if case .session(let id) = $0 { id == next.sessionID } else { false } })
    else { return journal?.append(entries, time: time) }
    // What comes before is the end of another session.
    if start > 0 { journal?.append(Array(entries[..<start]), time: time) }
    if let journal { Task { await journal.close() } }
    journal = next
    nextJournal = nil
    let place = next.append(Array(entries[start...]), time: time)
    for index in undone.indices { undone[index].place = place }
    return place
  }

  /// Performs an action now, or once the journal is as far as that.
  func perform(_ action: TurnAction, after place: Int?) {
    guard let place, action.needsDurability else { return perform(action) }
    undone.append(UndoneAction(action: action, place: place))
  }

  private func journalProgressed(_ progress: SessionJournal.Progress, of id: String) {
    guard journal?.sessionID == id else { return }
    switch progress {
    case .reached(let place):
      while let first = undone.first, first.place <= place {
        undone.removeFirst()
        perform(first.action)
      }
    case .failed(let error):
      handle(.journalFailed(RequestFailure(code: error.code.rawValue, message: error.message)))
      // The next start reads what the disk has.
      let broken = journal
      undone = []
      journal = nil
      Task { await broken?.close() }
    }
  }

  /// A tool that waits for the journal never starts; its place is free at once.
  func cancelTool(_ key: ToolCallKey) {
    runningTools[key]?.cancel()
    guard undone.contains(where: { $0.startsTool(key) }) else { return }
    undone.removeAll { $0.startsTool(key) }
    handle(.toolFinished(key, .failure("Cancelled before it started"), at: now()))
  }

  func closeJournal() async {
    undone = []
    let open = [journal, nextJournal]
    journal = nil
    nextJournal = nil
    for journal in open { await journal?.close() }
  }

  // MARK: Taking up

  /// The session that this start is to take up, if the configuration names one and there is one.
  func keptSession() throws(JournalError) -> SessionImage? {
    guard let configuration = configuration.journal, journal == nil else { return nil }
    switch connectionState {
    case .idle, .failed, .blocked: break
    case .registering, .connecting, .active, .reconnecting, .reconnected: return nil
    }
    // A session of this runtime, which was stopped.
    if let id = machine.sessionID { return try open(id, in: configuration.folder) }
    guard !startsAnew else { return nil }
    switch configuration.resumption {
    case .none: return nil
    case .session(let id):
      guard try configuration.folder.session(id).server == server else {
        throw JournalError(.otherSession, "Session \(id) is of another server. Give that server's URL.")
      }
      return try open(id, in: configuration.folder)
    case .latest:
      for stored in try configuration.folder.sessions() where stored.server == server && !stored.isInUse {
        do {
          return try open(stored.id, in: configuration.folder)
        } catch {
          // Another process was faster.
          guard error.code == .inUse else { throw error }
        }
      }
      return nil
    }
  }

  private func open(_ id: String, in folder: ResolveKitJournalFolder) throws(JournalError) -> SessionImage {
    let opened = try openJournal(id, in: folder)
    let image = opened.image
    journal = opened
    if let deviceID = image.deviceID, !deviceID.isEmpty { self.deviceID = deviceID }
    return image
  }

  private func openJournal(_ id: String, in folder: ResolveKitJournalFolder) throws(JournalError) -> SessionJournal {
    let opened = try folder.open(id) { [weak self] progress in
      Task { await self?.journalProgressed(progress, of: id) }
    }
    for finding in opened.findings {
      logger.warning("\(finding)", metadata: ["session_id": "\(id)"])
      hub.send(.note(finding))
    }
    return opened
  }

  /// The session is about to be used: its journal is opened, and what an earlier process kept of it is taken up.
  func prepareJournal(for id: String) throws(JournalError) {
    guard let configuration = configuration.journal, journal?.sessionID != id, nextJournal?.sessionID != id else {
      return
    }
    let opened = try openJournal(id, in: configuration.folder)
    nextJournal = opened
    if opened.image.sessionID != nil {
      restore(opened.image)
    } else {
      opened.append([.origin(server: server, deviceID: deviceID)], time: now())
    }
  }

  func restore(_ image: SessionImage) {
    // A stop and a start of this runtime: its readers have the messages.
    let isShown = machine.sessionID == image.sessionID
    goOn(from: image)
    handle(.restored(image, at: now()))
    if !isShown { show(image.transcript, but: image.turn?.message.requestID) }
    if let reason = image.escalationReason, !isShown { hub.send(.escalated(reason: reason)) }
    show(image.turn)
  }

  private var server: String { configuration.approvalServer }

  private func show(_ transcript: [ResolveKitChatMessage], but requestID: String?) {
    for message in transcript where message.id != requestID {
      remember(message.id)
      hub.send(.message(message))
    }
  }

  private func show(_ turn: SessionImage.Turn?) {
    guard let turn, machine.turnRequestID == turn.message.requestID else { return }
    hub.send(.turnStarted(requestID: turn.message.requestID, text: turn.message.text))
    if !turn.text.isEmpty { hub.send(.text(turnID: turn.knownID, appended: turn.text)) }
  }

  // MARK: Time

  /// The session's time: this machine's monotonic clock, moved so that it goes on over the end of a process.
  func now() -> MonotonicNanoseconds { sessionTime(TransportClock.monotonicNanoseconds()) }

  func sessionTime(_ monotonic: MonotonicNanoseconds) -> MonotonicNanoseconds {
    MonotonicNanoseconds(clamping: Int64(clamping: monotonic) &+ clockShift)
  }

  func monotonicTime(_ time: MonotonicNanoseconds) -> MonotonicNanoseconds {
    MonotonicNanoseconds(clamping: Int64(clamping: time) &- clockShift)
  }

  /// Between two processes the clock on the wall says how much time has passed.
  private func goOn(from image: SessionImage) {
    let wall = ResolveKitJournalFolder.wallMilliseconds()
    let away = (wall > image.updatedAt ? wall - image.updatedAt : 0).multipliedReportingOverflow(by: 1_000_000)
    let time = image.time.advanced(byNanoseconds: away.overflow ? .max : away.partialValue)
    clockShift = Int64(clamping: time) &- Int64(clamping: TransportClock.monotonicNanoseconds())
  }
}
