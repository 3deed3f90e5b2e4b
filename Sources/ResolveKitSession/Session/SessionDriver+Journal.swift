import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// What outlives the process: kept before it is acted on, taken up at the next start.
extension SessionDriver {
  // MARK: Keeping

  /// Appends what must be kept of one event.
  func keep(_ entries: [JournalEntry]) {
    guard !entries.isEmpty else { return }
    let time = now()
    guard let next = nextJournal,
      let start = entries.lastIndex(where: { if case .session(let id) = $0 { id == next.sessionID } else { false } })
    else {
      if let journal { keptPlace = journal.append(entries, time: time) }
      return
    }
    // What comes before is the end of another session.
    if start > 0 { journal?.append(Array(entries[..<start]), time: time) }
    release(journal)
    journal = next
    nextJournal = nil
    reachedPlace = 0
    keptPlace = next.append(Array(entries[start...]), time: time)
    for index in undone.indices { undone[index].place = keptPlace }
  }

  /// Performs an action now, or once all that was kept before it is on the disk: it may be built on an earlier event's.
  func performDurably(_ action: TurnAction) {
    guard action.needsDurability, reachedPlace < keptPlace else { return perform(action) }
    undone.append(UndoneAction(action: action, place: keptPlace))
  }

  /// Progress of another journal than the one in use says nothing: a session's next one counts from the start again.
  private func journalProgressed(_ progress: SessionJournal.Progress, of source: SessionJournal) {
    switch progress {
    case .reached(let place):
      guard source === journal else { return }
      reachedPlace = max(reachedPlace, place)
      while let first = undone.first, first.place <= reachedPlace {
        undone.removeFirst()
        perform(first.action)
      }
    case .failed(let error):
      guard source === journal || source === nextJournal else { return }
      handle(.journalFailed(RequestFailure(code: error.code.rawValue, message: error.message)))
      // The next start reads what the disk has.
      leaveJournals()
    }
  }

  /// A tool that waits for the journal never starts; its place is free at once.
  func cancelTool(_ key: ToolCallKey) {
    runningTools[key]?.cancel()
    guard undone.contains(where: { $0.startsTool(key) }) else { return }
    undone.removeAll { $0.startsTool(key) }
    handle(.toolFinished(key, .failure("Cancelled before it started"), at: now()))
  }

  /// Nothing more is kept, and nothing is done of what waited for that.
  func leaveJournals() {
    undone = []
    keptPlace = 0
    reachedPlace = 0
    release(journal)
    release(nextJournal)
    journal = nil
    nextJournal = nil
  }

  /// Closes a journal behind what goes on; ``closing`` is its end.
  private func release(_ journal: SessionJournal?) {
    guard let journal else { return }
    closing = Task { [closing] in
      await closing?.value
      await journal.close()
    }
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
    if let id = machine.sessionID {
      let opened = try openJournal(id, in: configuration.folder)
      if opened.image.sessionID != nil { return take(opened) }
      // The disk was full before anything of it was kept: to this runtime too it is a session like any other.
      begin(opened)
      forgetSession()
      return nil
    }
    guard !startsAnew else { return nil }
    switch configuration.resumption {
    case .none: return nil
    case .session(let id):
      guard try configuration.folder.session(id).server == server else {
        throw JournalError(.otherSession, "Session \(id) is of another server. Give that server's URL.")
      }
      return take(try openJournal(id, in: configuration.folder))
    case .latest:
      for stored in try configuration.folder.sessions() where stored.server == server && !stored.isInUse {
        do {
          return take(try openJournal(stored.id, in: configuration.folder))
        } catch {
          // Another process was faster.
          guard error.code == .inUse else { throw error }
        }
      }
      return nil
    }
  }

  private func take(_ opened: SessionJournal) -> SessionImage {
    let image = opened.image
    journal = opened
    if let deviceID = image.deviceID, !deviceID.isEmpty { self.deviceID = deviceID }
    return image
  }

  /// An empty journal, which is used once its session is.
  private func begin(_ opened: SessionJournal) {
    release(nextJournal)
    nextJournal = opened
    opened.append([.origin(server: server, deviceID: deviceID)], time: now())
  }

  private func openJournal(_ id: String, in folder: ResolveKitJournalFolder) throws(JournalError) -> SessionJournal {
    let opened = try folder.open(id, disk: configuration.disk) { [weak self] source, progress in
      Task { await self?.journalProgressed(progress, of: source) }
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
    guard opened.image.sessionID != nil else { return begin(opened) }
    release(nextJournal)
    nextJournal = opened
    restore(opened.image)
  }

  func restore(_ image: SessionImage) {
    // A stop and a start of this runtime: its readers have the messages.
    let isShown = machine.sessionID == image.sessionID
    goOn(from: image)
    handle(.restored(image, at: now()))
    if !isShown { show(image.transcript, but: image.turn?.message.requestID ?? openMessage?.requestID) }
    if let reason = image.escalationReason, !isShown { hub.send(.escalated(reason: reason)) }
    show(image.turn, isShown: isShown)
    if let left = machine.left, !isShown { showArrival(of: left) }
  }

  /// The last message, if it is not known to have arrived.
  private var openMessage: OutgoingMessage? {
    switch machine.left?.arrival {
    case .no, .unknown: machine.left?.message
    case .running, .ended, nil: nil
    }
  }

  private func showArrival(of left: LeftMessage) {
    switch left.arrival {
    case .no: show(.notSent, of: left.message)
    case .unknown: show(.unknown, of: left.message)
    case .running, .ended: break
    }
  }

  private var server: String { configuration.approvalServer }

  private func show(_ transcript: [ResolveKitChatMessage], but requestID: String?) {
    for message in transcript where message.id != requestID {
      remember(message.id)
      hub.send(.message(message))
    }
  }

  private func show(_ turn: SessionImage.Turn?, isShown: Bool) {
    guard let turn, machine.turnRequestID == turn.message.requestID else { return }
    hub.send(.turnStarted(requestID: turn.message.requestID, text: turn.message.text))
    guard !turn.text.isEmpty else { return }
    hub.send(
      isShown
        ? .textCorrected(turnID: turn.knownID, text: turn.text) : .text(turnID: turn.knownID, appended: turn.text))
  }

  // MARK: Time

  /// The session's time: this machine's monotonic clock, moved so that it goes on over the end of a process and while the
  /// machine is suspended, as the backend's does.
  func now() -> MonotonicNanoseconds {
    if let (seconds, rest) = suspension.check()?.components {
      clockShift &+= seconds &* 1_000_000_000 &+ rest / 1_000_000_000
    }
    return sessionTime(TransportClock.monotonicNanoseconds())
  }

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
