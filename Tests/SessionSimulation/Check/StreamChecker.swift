/// Judges the way of events into the client: a prefix of the log, a cursor that never runs ahead of what took effect, one
/// connection, and attempts that keep their distance. Invariants 1 to 4, 11 and 13.
struct StreamChecker {
  private var applied: Int64 = 0
  /// The newest event that ever came, in any life.
  private var furthest: Int64 = 0
  private var durableCursor: Int64 = 0
  /// How far the events were that came before one that the network had lost, by that one's number: a cursor is the id of what
  /// came last, and ids tell no order.
  private var before: [Int64: Int64] = [:]
  /// The events that took effect, or were the newest on a disk, in any life: what repeats them is no record.
  private var known: Set<Int64> = []
  private var hasGap = false
  /// Turns that the client follows from somewhere in their middle.
  private var joined: Set<String> = []
  private var arrived: String?
  private var open: Set<Int> = []
  private var attemptedAt: Moment?
  private var wasHealthy = false

  /// The shortest time between two attempts, less than what a clock in whole milliseconds may show.
  private static let floor: Moment = 999_000_000

  mutating func take(
    _ observation: Observation, at now: Moment, _ truth: LogTruth, _ violations: inout Violations
  ) {
    switch observation {
    case .eventArrived(let id, _):
      arrived = id
      let number = Int64(id) ?? 0
      // Its record may be on the disk before it is shown.
      furthest = max(furthest, number)
      if isOutOfOrder(number, truth), !known.contains(number) { before[number] = applied }
    case .eventApplied(let id, let turn, let type): apply(id, turn, type, truth, &violations)
    case .messageTaken(let request, _): if let turn = truth.turns[request] { joined.formUnion([request, turn]) }
    case .gap: hasGap = true
    case .cursorForgotten: durableCursor = 0
    case .cursorDurable(let id):
      let number = Int64(id) ?? 0
      violations.require(number <= furthest, 2, "cursor \(id) is kept, \(furthest) is the last that came")
      durableCursor = max(durableCursor, number)
    case .clientStarted:
      (applied, arrived, hasGap, open, attemptedAt, wasHealthy) = (0, nil, false, [], nil, false)
    case .clientRestored(let cursor, let turn, let text, let calls):
      restore(cursor, turn, text, calls, truth, &violations)
    case .clientEnded: open = []
    case .streamAttempted(let cursor, _):
      if let attemptedAt {
        violations.require(
          wasHealthy || now - attemptedAt >= Self.floor, 13, "two attempts within \((now - attemptedAt) / 1_000_000) ms"
        )
      }
      attemptedAt = now
      wasHealthy = false
      if let cursor {
        violations.require(truth.event(Int64(cursor) ?? 0) != nil, 3, "cursor \(cursor) is none of this session")
      }
    case .streamOpened(let connection):
      violations.require(open.isEmpty, 11, "connection \(connection) opens beside \(open)")
      open.insert(connection)
    case .streamEnded(let connection, let healthy):
      open.remove(connection)
      wasHealthy = healthy
    default: break
    }
  }

  private mutating func apply(
    _ id: String, _ turn: String?, _ type: String, _ truth: LogTruth, _ violations: inout Violations
  ) {
    guard let number = Int64(id), let event = truth.event(number) else {
      return violations.add(1, "event \(id) is applied, which is none of the log")
    }
    violations.require(arrived == id, 11, "event \(id) takes effect, and did not come over the open connection")
    arrived = nil
    violations.require(event.turn == turn && event.type == type, 4, "event \(id) is \(event.type), applied as \(type)")
    known.insert(number)
    if isOutOfOrder(number, truth) { return }
    violations.require(number > applied, 1, "event \(id) is applied behind \(applied)")
    if number > applied + 1 {
      for missed in applied + 1..<number where !truth.lost.contains(missed) {
        violations.require(
          hasGap && missed <= truth.floor || isAdopted(missed, truth), 1, "event \(missed) is left out")
      }
    }
    applied = max(applied, number)
  }

  /// Whether it is an event that the network had lost, and repeats behind later ones.
  private func isOutOfOrder(_ number: Int64, _ truth: LogTruth) -> Bool {
    truth.lost.contains(number) && number <= applied
  }

  /// Whether an event was dropped before a client that knew nothing of the session asked for all that is kept.
  private func isAdopted(_ number: Int64, _ truth: LogTruth) -> Bool { applied == 0 && number <= truth.floor }

  private mutating func restore(
    _ cursor: String?, _ turn: String?, _ text: String, _ calls: [String]?, _ truth: LogTruth,
    _ violations: inout Violations
  ) {
    let restored = cursor.flatMap { Int64($0) } ?? 0
    violations.require(restored <= furthest, 2, "the disk has cursor \(restored), \(furthest) is the last that came")
    known.insert(restored)
    // Outside of the log it was judged just now.
    applied = min(max(0, restored, before[restored] ?? 0), truth.last)
    violations.require(
      max(applied, restored) >= durableCursor, 2, "the disk has cursor \(restored), \(durableCursor) was kept")
    guard let turn, !joined.contains(turn), !truth.hasLost(of: turn) else { return }
    if let calls {
      for id in truth.calls(of: turn, through: applied) where !calls.contains(id) {
        violations.add(2, "the disk has cursor \(applied), and nothing of \(id) before it")
      }
    }
    let expected = truth.text(of: turn, through: applied)
    // Dropped events can no longer be compared.
    violations.require(
      text == expected || truth.floor > 0, 2, "the disk has the text '\(text)' at \(applied), not '\(expected)'")
  }

  func end(_ truth: LogTruth, _ violations: inout Violations) {
    guard applied < truth.last else { return }
    for missed in applied + 1...truth.last where !truth.lost.contains(missed) && missed > truth.floor {
      violations.add(1, "event \(missed) never arrived")
    }
  }
}
