import TestSupport
import Testing
import TransportPolicy

/// Random scripts of everything that may happen, in any order, checked against what must always hold.
@Suite("Transport race: any order of events")
struct TransportRaceScheduleTests {
  @Test(arguments: 0..<500 as Range<UInt64>)
  func noOrderOfEventsLeavesTwoConnectionsOrNone(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var race = TransportRace()
    var running: Set<TransportRace.Action> = []
    var inUse: TransportRace.Action?
    /// The first of a race that the second won, still connecting.
    var unfinished: TransportRace.Action?
    let plans: [RacePlan] = [
      .standard, .headStart(.zero), .firstHeldBack(reason: "broken"), .firstLeftOut(reason: "proxy"),
    ]
    for _ in 0..<60 {
      let number = max(0, race.race - Int.random(in: 0...1, using: &generator))
      let side: RaceSide = Bool.random(using: &generator) ? .first : .second
      let actions: [TransportRace.Action]
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: actions = race.start(plans[Int.random(in: 0..<plans.count, using: &generator)])
      case 1: actions = race.headStartElapsed(race: number)
      case 2: actions = race.connected(side, race: number)
      case 3:
        actions = race.failed(side, reason: "x", race: number)
        if unfinished == .start(side, race: number) {
          running.remove(.start(side, race: number))
          unfinished = nil
        } else if number == race.race, inUse != .start(side, race: number) {
          running.remove(.start(side, race: number))
        }
      case 4:
        race.connectionLost(side, reason: "x", race: number)
        if inUse == .start(side, race: number) {
          running.remove(.start(side, race: number))
          inUse = nil
        }
        actions = []
      default:
        actions = race.cancel()
        inUse = nil
      }
      for action in actions {
        switch action {
        case .start(let side, let number):
          #expect(running.insert(.start(side, race: number)).inserted, "seed \(seed): started twice")
          #expect(inUse == nil, "seed \(seed): a race beside a connection in use")
        case .close(let side, let number):
          running.remove(.start(side, race: number))
          if unfinished == .start(side, race: number) { unfinished = nil }
        case .letFinish(let side, let number):
          #expect(side == .first && unfinished == nil, "seed \(seed)")
          unfinished = .start(side, race: number)
          #expect(unfinished.map(running.contains) == true, "seed \(seed): what continues was never started")
        case .use(let outcome, let number):
          let remaining = running.subtracting(unfinished.map { [$0] } ?? [])
          #expect(remaining == [.start(outcome.winner, race: number)], "seed \(seed): the winner alone remains")
          inUse = .start(outcome.winner, race: number)
        case .revise(let outcome, let number):
          #expect(inUse == .start(outcome.winner, race: number), "seed \(seed): news of an old winner")
        case .fail(let failures, _): #expect(failures.count == 2 && running.isEmpty, "seed \(seed): \(failures)")
        case .scheduleHeadStart, .cancelHeadStart: break
        }
      }
      #expect((race.outcome != nil) == (inUse != nil), "seed \(seed)")
      let isIdle = !race.isRacing && inUse == nil && unfinished == nil
      #expect(running.isEmpty == isIdle, "seed \(seed): something was left running")
    }
  }
}
