import EventLedger
import TestSupport
import Testing

@testable import ReferenceBackend
@testable import SessionSimulation

/// The tables' model does what the stores do with a database: the same steps, drawn from seeds, with the same answers.
@Suite(.timeLimit(.minutes(10)))
struct SessionRowsTests {
  private let database: BackendDatabase
  private let turns: TurnStore
  private let calls: CallStore
  private let session: String
  private var model = SessionRows()
  private var begun = 0
  private var generator: SeededGenerator

  private static let now = WallTime(microseconds: 1_000_000)

  private init(seed: UInt64) async throws {
    database = try BackendDatabase(path: nil)
    let rows = try database.storage().rows
    turns = TurnStore(rows)
    calls = CallStore(rows)
    session = try await SessionStore(rows).open(
      SessionDraft(functionNames: [], locale: "en"), lifetime: .seconds(60), now: Self.now
    ).session.id
    generator = SeededGenerator(seed: seed)
  }

  init() async throws { try await self.init(seed: 1) }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private func claim(_ turn: String, _ fence: Int64) -> TurnClaim {
    TurnClaim(
      turnID: turn, sessionID: session, requestID: "", lease: lease(fence), base: EventID(0))
  }

  private func lease(_ fence: Int64) -> LedgerLease {
    LedgerLease(stream: "s", holder: "h", fence: fence, expiry: Self.now)
  }

  /// A step's answer, an error by its code.
  private func text<Value>(_ body: () async throws -> Value) async -> String {
    do { return "\(try await body())" } catch { return "\((error as? LedgerError).map { "\($0.code)" } ?? "\(error)")" }
  }

  private mutating func step() async -> (real: String, model: String) {
    let turn = "turn-\(number(max(1, begun - 1)...begun + 1))"
    let call = "call-\(number(1...2))"
    let fence = Int64(number(1...4))
    let due = Self.now + .seconds(number(1...9))
    let claim = claim(turn, fence)
    switch number(0...9) {
    case 0:
      // An id is given once, but to an attempt whose answer was lost.
      let new = "turn-\(begun + 1)"
      let request = "request-\(number(1...begun + 2))"
      let real = await text {
        try await turns.begin(new, sessionID: session, requestID: request, text: "x", now: Self.now, limit: 99)
      }
      if real.hasPrefix("began") { begun += 1 }
      return (real, "\(model.begin(new, in: session, requestID: request, text: "x"))")
    case 1:
      let record = TurnStore.Record(id: turn, sessionID: session, requestID: "", status: .running, fence: 0)
      let real = await text {
        try await turns.claim(record, under: lease(fence), last: EventID(fence))?.base.number ?? -1
      }
      return (real, "\(model.claim(turn, under: fence, last: fence) ?? -1)")
    case 2:
      return (await text { try await turns.interrupt(turn) }, "\(model.interrupt(turn))")
    case 3:
      let ending = TurnEnding.complete("text \(fence)", nil, asksForFeedback: false)
      let real = await text { try await turns.settle(claim, ending, now: Self.now).events }
      return (real, await text { try model.settle(turn, fence, ending).events })
    case 4:
      let real = await text { try await turns.end(claim, as: .complete) }
      return (real, await text { _ = try model.end(turn, fence, as: .complete) })
    case 5:
      let round = ModelRound(
        number: number(0...1), text: "", calls: [ModelToolCall(id: call, name: "n", arguments: [:])],
        timeouts: number(0...3) == 0 ? [:] : [call: 5], usage: nil)
      let real = await text { try await calls.begin(round, of: claim) }
      return (real, await text { try model.keep(round, of: turn, fence) })
    case 6:
      let real = await text { try await calls.open(call, of: claim, due: due) }
      return (real, await text { try model.open(call, of: turn, fence, due: due) })
    case 7:
      let key = CallKey(sessionID: session, turnID: turn, callID: call)
      let idempotency = "key-\(number(1...2))"
      let real = await text { try await calls.settle(key, as: .success("1"), idempotencyKey: idempotency) }
      return (real, "\(model.take(.success("1"), for: key, idempotencyKey: idempotency))")
    case 8:
      let real = await text { try await calls.close(call, of: claim) }
      return (real, await text { try model.close(call, of: turn, fence) })
    default:
      let real = await text { try await turns.running(in: session)?.id ?? "" }
      return (real, model.running(in: session)?.id ?? "")
    }
  }

  @Test(arguments: 1...8) func theModelAnswersAsTheStoresDo(_ seed: Int) async throws {
    var world = try await SessionRowsTests(seed: UInt64(seed))
    var answers: Set<String> = []
    for number in 0..<120 {
      let (real, model) = await world.step()
      #expect(real == model, "seed \(seed), step \(number)")
      answers.insert(real)
    }
    #expect(answers.count > 6)
    try world.database.close()
  }
}
