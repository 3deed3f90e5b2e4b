import Logging
import ResolveKitCore
import ResolveKitNetworking
import StreamTransport

/// The state that outlives the process: opened before a session is used, taken up at the next start.
extension SessionDriver {
  /// The session that this start takes up, if the configuration names one and there is one.
  func keptSession() throws(JournalError) -> SessionImage? {
    guard status.isOver else { return nil }
    let kept = try journals.takeUp(known: machine.sessionID, origin: client.origin, at: clock.now()) {
      (id, folder) throws(JournalError) in try openJournal(id, in: folder)
    }
    switch kept {
    case .nothing: return nil
    case .session(let image):
      client.useDevice(of: image)
      return image
    // To this runtime too it is a session like any other.
    case .emptyJournal:
      forgetSession()
      return nil
    }
  }

  /// The session is about to be used: its journal is opened, and what an earlier process kept of it is taken up.
  func prepareJournal(for id: String) throws(JournalError) {
    let image = try journals.prepare(id, origin: client.origin, at: clock.now()) {
      (id, folder) throws(JournalError) in try openJournal(id, in: folder)
    }
    if let image { restore(image) }
  }

  private func openJournal(_ id: String, in folder: ResolveKitJournalFolder) throws(JournalError) -> SessionJournal {
    let opened = try folder.open(
      id, disk: configuration.disk, now: { [clock = configuration.clock] in clock.millisecondsSince1970 }
    ) {
      [weak self] source, progress in
      Task { await self?.take(progress, of: source) }
    }
    for finding in opened.findings {
      logger.warning("\(finding)", metadata: ["session_id": "\(id)"])
      publisher.send(.note(finding))
    }
    return opened
  }

  func restore(_ image: SessionImage) {
    // A stop and a start of this runtime: its readers have the messages.
    let isShown = machine.sessionID == image.sessionID
    let wall = configuration.clock.millisecondsSince1970
    clock.resume(from: image.time, after: wall > image.updatedAt ? wall - image.updatedAt : 0)
    handle(.restored(image, at: clock.now()))
    if !isShown { show(image.transcript, but: image.turn?.message.requestID ?? openMessage?.requestID) }
    if let reason = image.escalationReason, !isShown { publisher.send(.escalated(reason: reason)) }
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
    case .no: publisher.show(.notSent, of: left.message)
    case .unknown: publisher.show(.unknown, of: left.message)
    case .running, .ended: break
    }
  }

  private func show(_ transcript: [ResolveKitChatMessage], but requestID: String?) {
    publisher.show(transcript.filter { $0.id != requestID })
  }

  private func show(_ turn: SessionImage.Turn?, isShown: Bool) {
    guard let turn, machine.turnRequestID == turn.message.requestID else { return }
    publisher.send(.turnStarted(requestID: turn.message.requestID, text: turn.message.text))
    guard !turn.text.isEmpty else { return }
    publisher.send(
      isShown
        ? .textCorrected(turnID: turn.knownID, text: turn.text) : .text(turnID: turn.knownID, appended: turn.text))
  }
}
