import Testing

@testable import ResolveKitCore

/// Processes that are killed, and the next one, which has only the journal.
extension SimulatedSession {
  /// The journal's image now.
  var image: SessionImage {
    get throws { try JournalReader(disk?.bytes ?? []).image }
  }

  func keep(_ entries: [JournalEntry]) {
    guard let sequence = disk?.sequence, !entries.isEmpty else { return }
    let record = JournalRecord(sequence: sequence + 1, wallMilliseconds: 1, time: now, entries: entries)
    live.apply(record)
    do {
      let isWhole = try disk?.append(record, image: live) ?? true
      guard isWhole else { return isDead = true }
    } catch {
      Issue.record("a record cannot be written: \(error)")
    }
    countStep()
    if !isDead, record.isDurable { disk?.synchronize() }
  }

  /// A moment at which a process can end.
  func countStep() {
    guard let count = disk?.steps else { return }
    disk?.steps = count + 1
    if disk?.lastStep == count + 1 { isDead = true }
  }

  /// The next process: it opens the journal, and continues with what is in it.
  func restart() throws {
    guard var disk else { return }
    isDead = false
    restarts += 1
    if disk.losesUnsynced { disk.bytes = Array(disk.bytes.prefix(disk.synced)) }
    let reader = try JournalReader(disk.bytes)
    #expect(!reader.isDamaged)
    disk.bytes = reader.end == 0 ? JournalFormat.header : Array(disk.bytes.prefix(reader.end))
    disk.synced = disk.bytes.count
    disk.sequence = reader.sequence
    disk.limit = nil
    disk.lastStep = nil
    onRestart(&disk)
    self.disk = disk
    live = reader.image

    machine = TurnMachine(policy: policy)
    pending = []
    deadlines = []
    wantsStream = false
    try checkRecovery(reader.image)
    shown = reader.image.turn?.text ?? ""
    // As the shell does it: the answer to the start's registration comes after what was kept is taken up.
    if reader.image.sessionID != nil { pending = [.restored(reader.image, at: now)] }
    pending.insert(.startRequested(tools: Self.tools), at: 0)
    let first = pending.removeLast()
    feed(first)
    if !wasTaken(reader.image) {
      // The person sees that the message was not taken, and writes it again.
      feed(.sendRequested(OutgoingMessage(requestID: script.requestID, text: "hi"), at: now))
    }
  }

  private func wasTaken(_ image: SessionImage) -> Bool {
    image.transcript.contains { $0.id == script.requestID }
  }

  /// Invariant 2: the cursor names no event whose effects are not there, and nothing was sent that is not kept.
  private func checkRecovery(_ image: SessionImage) throws {
    if isPosted { #expect(wasTaken(image)) }
    for (key, _) in starts where !script.isIdempotent(key.callID) {
      #expect(image.calls.contains { $0.call.key == key && $0.progress != .waiting } || image.turn == nil)
    }
    guard let cursor = image.cursor else { return appliedIDs = [] }
    let count = try #require(scriptIDs.firstIndex(of: cursor)) + 1
    // The last one may be kept and not yet reported.
    #expect(appliedIDs.count >= count - 1 && scriptIDs.starts(with: appliedIDs))
    appliedIDs = Array(scriptIDs.prefix(count))
    if let turn = image.turn { #expect(turn.text == script.text(after: cursor)) }
  }
}
