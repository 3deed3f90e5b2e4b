import EventLedger
import Logging
import ResolveKitCore

/// Writes a chat's events to the ledger, in order and in few transactions.
///
/// Events that wait for the disk are held up to a limit; beyond it, their source waits. The texts of one item that
/// wait are joined.
actor ChatLog {
  /// A stream's name in the ledger.
  static func stream(of chatID: String) -> String { prefix + chatID }

  /// The chat whose stream has this name; nil for another stream.
  static func chat(of stream: String) -> String? {
    stream.hasPrefix(prefix) ? String(stream.dropFirst(prefix.utf8.count)) : nil
  }

  private static let prefix = "chat:"

  /// Events that are kept for those who come back.
  static let keptEvents: Int64 = 20_000
  private static let holder = "companion"
  private static let waitingLimit = 2_000
  /// Of all that wait, about.
  static let waitingBytes = 32 << 20
  private static let leaseTime = Duration.seconds(24 * 3_600)
  private static let batchBytes = LedgerLimits.appendBytes / 2

  private let chatID: String
  private let ledger: any EventLedger
  private let now: @Sendable () -> WallTime
  private let clock: any Clock<Duration>
  private let logger: Logger
  private var lease: LedgerLease
  private var waiting: [(event: ChatEvent, time: WallTime, weight: Int)] = []
  private var bytes = 0
  /// The number of those that are being written, from the first on: they are not changed any more.
  private var inFlight = 0
  private var isWriting = false
  /// The number of the event that began the latest turn, and that turn.
  private var turnStart: (sequence: Int64, turnID: String?)?
  private var stalled: [CheckedContinuation<Void, Never>] = []

  /// Takes the stream, which is made where there is none. Throws `LedgerError`.
  init(
    _ chatID: String, ledger: any EventLedger, now: @escaping @Sendable () -> WallTime, clock: any Clock<Duration>,
    logger: Logger
  ) async throws {
    self.chatID = chatID
    self.ledger = ledger
    self.now = now
    self.clock = clock
    self.logger = logger
    lease = try await ledger.lease(Self.stream(of: chatID), to: Self.holder, for: Self.leaseTime)
  }

  /// The events that are kept, in order. Throws `LedgerError`.
  func kept(_ take: (ChatEvent) -> Void) async throws {
    let stream = Self.stream(of: chatID)
    var cursor = try await ledger.extent(of: stream).floor
    while true {
      let page = try await ledger.events(of: stream, after: cursor, limit: 256)
      guard let last = page.last else { return }
      for event in page {
        guard let reported = ChatEvent(event) else { continue }
        if reported.name == .turnStarted { turnStart = (event.sequence, reported.turnID) }
        take(reported)
      }
      cursor = last.sequence
    }
  }

  /// Takes an event; returns when there is room for the next.
  func publish(_ event: ChatEvent) async {
    let weight = event.weight
    bytes += weight
    if !joins(event, weight) { waiting.append((event, now(), weight)) }
    if !isWriting {
      isWriting = true
      Task { await write() }
    }
    if isFull { await withCheckedContinuation { stalled.append($0) } }
  }

  /// Whether what tells has to wait.
  var isFull: Bool { waiting.count > Self.waitingLimit || bytes > Self.waitingBytes }

  /// The cursor behind which the latest turn begins, and that turn; where it is not kept, or there is
  /// none, what happens from now on. Throws `LedgerError`.
  func latestTurn() async throws -> (cursor: Int64, turnID: String?) {
    let extent = try await ledger.extent(of: Self.stream(of: chatID))
    guard let turnStart, turnStart.sequence > extent.floor else { return (extent.last, nil) }
    return (turnStart.sequence - 1, turnStart.turnID)
  }

  /// Returns when all events are on the disk, or can't be.
  func drain() async {
    while isWriting { await withCheckedContinuation { stalled.append($0) } }
  }

  /// Whether a text was added to the text before it.
  private func joins(_ event: ChatEvent, _ weight: Int) -> Bool {
    guard event.name == .messageDelta, let text = event.payload["delta"]?.stringValue, waiting.count > inFlight,
      let last = waiting.last, last.event.name == .messageDelta, let before = last.event.payload["delta"]?.stringValue,
      last.event.payload["itemId"] == event.payload["itemId"], last.event.payload["turnId"] == event.payload["turnId"],
      before.utf8.count + text.utf8.count <= 64 << 10
    else { return false }
    waiting[waiting.count - 1].event.payload["delta"] = .string(before + text)
    waiting[waiting.count - 1].weight += weight
    return true
  }

  private func write() async {
    var wait = Duration.milliseconds(100)
    while !waiting.isEmpty {
      let batch = nextBatch()
      inFlight = batch.count
      defer { inFlight = 0 }
      do {
        try await append(batch)
        bytes -= waiting.prefix(batch.count).reduce(0) { $0 + $1.weight }
        waiting.removeFirst(batch.count)
        wait = .milliseconds(100)
        release()
      } catch let error as LedgerError where error.code == .database {
        logger.error("a chat's events cannot be stored, trying again: \(error)", metadata: ["chat": "\(chatID)"])
        do { try await clock.sleep(for: wait) } catch { break }
        wait = min(wait * 2, .seconds(5))
      } catch {
        // Another companion has taken the stream over, or it was deleted: its events are not ours to write.
        logger.error("a chat's events are lost: \(error)", metadata: ["chat": "\(chatID)"])
        waiting = []
        bytes = 0
      }
    }
    isWriting = false
    release()
  }

  private func release() {
    let released = stalled
    stalled = []
    for continuation in released { continuation.resume() }
  }

  private func nextBatch() -> [LedgerDraft] {
    var bytes = 0
    var batch: [LedgerDraft] = []
    for (event, time, _) in waiting.prefix(LedgerLimits.appendEvents) {
      let draft = event.draft(chatID: chatID, at: time)
      bytes += draft.payload.count
      if bytes > Self.batchBytes, !batch.isEmpty { break }
      batch.append(draft)
    }
    return batch
  }

  private func append(_ batch: [LedgerDraft]) async throws {
    if lease.expiry < now() + .seconds(3_600) { lease = try await ledger.renew(lease, for: Self.leaseTime) }
    let receipt = try await ledger.append(batch, under: lease, key: nil)
    let last = receipt.sequences.upperBound
    if let index = waiting.prefix(batch.count).lastIndex(where: { $0.event.name == .turnStarted }) {
      turnStart = (receipt.sequences.lowerBound + Int64(index), waiting[index].event.turnID)
    }
    // In steps: a trim is a transaction of its own.
    if last > Self.keptEvents, last / 1_000 > (receipt.sequences.lowerBound - 1) / 1_000 {
      try await ledger.trim(Self.stream(of: chatID), through: last - Self.keptEvents)
    }
  }
}
