import EventLedger
import ReferenceBackend

/// The backend's tables as values: turns, their rounds and calls, and messages. A test holds them to what the stores do
/// with a database.
struct SessionRows {
  struct Turn {
    let id: String
    let sessionID: String
    let requestID: String
    var status = TurnStore.Status.running
    var fence: Int64 = 0
    var base: Int64?
    var interruption: TurnInterruption?
    var ending: TurnEnding?
    var rounds: [ModelRound] = []
    var calls: [String: Call] = [:]
  }

  struct Call {
    let isAsked: Bool
    var due: WallTime?
    var outcome: CallOutcome?
    var idempotencyKey: String?
  }

  struct Message: Equatable {
    let role: String
    let content: String
  }

  private(set) var turns: [Turn] = []
  private(set) var messages: [String: [Message]] = [:]

  private var sessions: Set<String> = []

  /// Returns whether the session was there.
  mutating func open(_ session: String) -> Bool { !sessions.insert(session).inserted }

  private func index(_ id: String) -> Int? { turns.firstIndex { $0.id == id } }

  func turn(_ id: String) -> Turn? { index(id).map { turns[$0] } }
  func running(in session: String) -> Turn? { turns.first { $0.sessionID == session && $0.status == .running } }
  var running: [Turn] { turns.filter { $0.status == .running } }

  /// Running turns of which nobody has taken possession, each with its session.
  var unclaimed: [String: String] {
    turns.filter { $0.status == .running && $0.fence == 0 }.reduce(into: [:]) { $0[$1.id] = $1.sessionID }
  }

  // MARK: Turns

  mutating func begin(
    _ id: String, in session: String, requestID: String, text: String
  ) -> TurnStore.Beginning {
    if let known = turns.first(where: { $0.sessionID == session && $0.requestID == requestID }) {
      return known.id == id ? .began(turnID: id) : .repeated(turnID: known.id)
    }
    guard running(in: session) == nil else { return .busy }
    turns.append(Turn(id: id, sessionID: session, requestID: requestID))
    messages[session, default: []].append(Message(role: MessageRecord.userRole, content: text))
    return .began(turnID: id)
  }

  /// Returns the event before the turn's first; nil where it is over, or a later lease has it.
  mutating func claim(_ id: String, under fence: Int64, last: Int64) -> Int64? {
    guard let index = index(id), turns[index].status == .running, turns[index].fence < fence else { return nil }
    turns[index].fence = fence
    turns[index].base = turns[index].base ?? last
    return turns[index].base
  }

  private func check(_ id: String, _ fence: Int64) throws(LedgerError) -> Int {
    guard let index = index(id), turns[index].status == .running, turns[index].fence == fence else {
      throw LedgerError(.fenced, "The turn \(id) is another process's now, or over.")
    }
    return index
  }

  /// Returns false where none with this id runs.
  mutating func interrupt(_ id: String) -> Bool {
    guard let index = index(id), turns[index].status == .running else { return false }
    turns[index].interruption = turns[index].interruption ?? .user
    return true
  }

  mutating func settle(_ id: String, _ fence: Int64, _ ending: TurnEnding) throws(LedgerError) -> TurnEnding {
    let index = try check(id, fence)
    if let known = turns[index].ending { return known }
    turns[index].ending = ending
    if let answer = ending.answer {
      messages[turns[index].sessionID, default: []].append(
        Message(role: MessageRecord.assistantRole, content: answer))
    }
    return ending
  }

  /// Returns whether that was news.
  mutating func end(_ id: String, _ fence: Int64, as status: TurnStore.Status) throws(LedgerError) -> Bool {
    if let known = turn(id), known.status == status, known.fence == fence { return false }
    let index = try check(id, fence)
    turns[index].status = status
    turns[index].rounds = []
    // Of its calls the keys stay.
    for call in turns[index].calls.keys { turns[index].calls[call]?.outcome = .timedOut }
    return true
  }

  // MARK: Calls

  mutating func keep(_ round: ModelRound, of id: String, _ fence: Int64) throws(LedgerError) {
    let index = try check(id, fence)
    guard !turns[index].rounds.contains(where: { $0.number == round.number }) else { return }
    turns[index].rounds.append(round)
    for call in round.calls where turns[index].calls[call.id] == nil {
      turns[index].calls[call.id] = Call(isAsked: round.timeouts[call.id] != nil)
    }
  }

  mutating func open(
    _ call: String, of id: String, _ fence: Int64, due: WallTime
  ) throws(LedgerError) -> (due: WallTime, outcome: CallOutcome?) {
    let index = try check(id, fence)
    guard var row = turns[index].calls[call] else { return (due, nil) }
    row.due = row.due ?? due
    turns[index].calls[call] = row
    return (row.due ?? due, row.outcome)
  }

  mutating func take(_ outcome: CallOutcome, for key: CallKey, idempotencyKey: String) -> CallStore.Delivery {
    guard let index = index(key.turnID), turns[index].sessionID == key.sessionID,
      var row = turns[index].calls[key.callID], row.isAsked
    else { return .notPending }
    if let accepted = row.idempotencyKey { return accepted == idempotencyKey ? .duplicate : .notPending }
    guard row.outcome == nil, turns[index].status == .running else { return .notPending }
    row.outcome = outcome
    row.idempotencyKey = idempotencyKey
    turns[index].calls[key.callID] = row
    return .accepted
  }

  func outcome(of call: String, in id: String) -> CallOutcome? { turn(id)?.calls[call]?.outcome }

  /// Returns the call's outcome; none came where it is `timedOut`.
  mutating func close(_ call: String, of id: String, _ fence: Int64) throws(LedgerError) -> CallOutcome {
    let index = try check(id, fence)
    if let outcome = turns[index].calls[call]?.outcome { return outcome }
    turns[index].calls[call]?.outcome = .timedOut
    return .timedOut
  }
}
