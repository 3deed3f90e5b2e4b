import LinkModel

/// Draws a schedule from a seed.
package struct ScheduleGenerator {
  private var generator: SeededGenerator
  private let seed: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    generator = SeededGenerator(seed: seed ^ 0x5e55_1011)
  }

  package mutating func schedule() -> SessionSchedule {
    let end = number(20_000...150_000)
    let backends = generator.chance(0.6) ? 2 : 1
    var steps: [SessionStep] = []
    let messages = number(1...4)
    for message in 1...messages {
      steps.append(SessionStep(at: number(0...end / 2), .say(message, plan(message))))
    }
    for _ in 0..<number(0...9) { steps.append(SessionStep(at: number(100...end - 1), fault(backends))) }
    if generator.chance(0.15) { steps.append(SessionStep(at: number(500...end - 1), .cancelTurn)) }
    if generator.chance(0.2) { steps.append(SessionStep(at: number(500...end - 1), .retry)) }
    if generator.chance(0.15) {
      steps.append(SessionStep(at: number(500...end - 1), .restartClient(down: number(0...20_000))))
    }
    let clients = generator.chance(0.2) ? 2 : 1
    if clients > 1 {
      for message in 11...10 + number(1...3) {
        steps.append(SessionStep(at: number(0...end / 2), .say(message, plan(message)), client: 1))
      }
      for index in steps.indices where steps[index].client == nil && !steps[index].event.isMessage {
        steps[index].client = generator.chance(0.5) ? 1 : nil
      }
    }
    if generator.chance(0.1) {
      // What a client missed is dropped before it comes back.
      let at = number(1_000...end / 2)
      steps.append(SessionStep(at: at, .killClient(step: 1, kept: 1, down: 40_000)))
      steps.append(SessionStep(at: at + 35_000, .trim(keeping: 0)))
    }
    if generator.chance(0.1) {
      // A stream is left while events are under way.
      let at = number(100...end / 2)
      steps.append(SessionStep(at: at, .slowStream(upTo: pick([500, 5_000]))))
      steps.append(SessionStep(at: at, .lingerStream))
      steps.append(SessionStep(at: at + number(0...10_000), .disturbRequests(.expired, count: 1)))
    }
    if generator.chance(0.15) { steps += incident(messages + 1, backends) }
    steps.sort { $0.at < $1.at }
    return SessionSchedule(
      setting: SessionSchedule.Setting(
        seed: seed, backends: backends, clients: clients > 1 ? clients : nil,
        compactsEvery: generator.chance(0.2) ? number(1...30) : nil,
        lineEnd: generator.chance(0.2) ? pick([.carriageReturn, .both]) : nil, end: end),
      steps: steps)
  }

  /// A schedule that takes seconds, of steps that can be done to processes: `Tools/schedule-check` plays it.
  package mutating func scheduleForPrograms() -> SessionSchedule {
    let end = number(3_000...6_000)
    var steps: [SessionStep] = []
    for message in 1...number(1...3) {
      let calls = generator.chance(0.5) ? [call(.plain, pick([100, 700, 1_500]))] : []
      steps.append(SessionStep(at: number(0...2_500), .say(message, plan(calling: calls))))
    }
    for _ in 0..<number(1...3) { steps.append(SessionStep(at: number(200...end - 1), faultOfPrograms())) }
    steps.sort { $0.at < $1.at }
    return SessionSchedule(
      setting: SessionSchedule.Setting(
        seed: seed, backends: 1, clients: nil, compactsEvery: nil, lineEnd: nil, end: end),
      steps: steps)
  }

  private mutating func faultOfPrograms() -> SessionStep.Event {
    let down = pick([0, 300, 1_500])
    switch number(0...8) {
    case 0...2: return .killClient(step: 1, kept: 1, down: down)
    case 3: return .restartClient(down: down)
    case 4: return .suspendClient(for: pick([300, 2_000]))
    case 5: return .killBackend(0, down: down)
    case 6: return .stopBackend(0, down: down)
    case 7: return .pauseBackend(0, for: pick([300, 2_000]))
    default: return .cutStream(afterBytes: number(0...3_000))
    }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(0...elements.count - 1)]
  }

  // MARK: Turns

  private mutating func plan(_ message: Int) -> TurnPlan {
    var calls = 0
    var parts = (0..<number(0...2)).map { _ in part(withCalls: true, &calls) }
    parts.append(part(withCalls: false, &calls))
    return TurnPlan(parts: parts)
  }

  private mutating func part(withCalls: Bool, _ calls: inout Int) -> TurnPlan.Part {
    let words = ["Grüße ", "and ", "so ", "on. ", "𝛼β ", "\"x\"\n", "e\u{301} ", "…"]
    let pieces = (0..<number(0...5)).map { _ in (0..<number(1...3)).map { _ in pick(words) }.joined() }
    var part = TurnPlan.Part(
      pieces: pieces, pace: pick([1, 20, 300, 3_000]), calls: [], fails: !withCalls && generator.chance(0.07))
    guard withCalls else { return part }
    if generator.chance(0.005) {
      // More than one batch takes.
      part.calls = Array(repeating: call(.plain, 0), count: 70)
      calls += 70
      return part
    }
    for _ in 0..<number(1...3) {
      part.calls.append(call(isFirst: calls == 0))
      calls += 1
    }
    return part
  }

  private mutating func call(isFirst: Bool) -> TurnPlan.Call {
    let tool = generator.chance(0.04) ? TurnPlan.Tool.missing : pick([.plain, .asking, .asking, .repeatable, .serial])
    return TurnPlan.Call(
      tool: tool, duration: pick([0, 5, 200, 2_000, 9_000, 45_000]), fails: generator.chance(0.15),
      heedsCancellation: generator.chance(0.6),
      decision: generator.chance(0.08) ? nil : pick([.approve, .approve, .approve, .approveForSession, .deny]),
      hesitation: pick([10, 400, 400, 3_000, 20_000, 59_900, 60_100]), repeatsID: !isFirst && generator.chance(0.1))
  }

  // MARK: Incidents

  /// A message and a fault that fall together: drawn one by one, they would meet in too few seeds.
  private mutating func incident(_ message: Int, _ backends: Int) -> [SessionStep] {
    let at = number(500...5_000)
    switch number(0...4) {
    case 0:
      // A tool waits for another's place, and the client gets no processor until the backend waits for neither.
      let pause = number(2_000...8_000)
      return [
        SessionStep(at: at, .say(message, plan(calling: [call(.serial, 9_000), call(.serial, 200)]))),
        SessionStep(at: at + pause, .stallClient(for: 40_500 - pause + number(0...14_000))),
      ]
    case 1:
      // Calls of one batch come with pauses, and the client gets no processor when the batch's window ends.
      return [
        SessionStep(at: at, .say(message, plan(calling: Array(repeating: call(.plain, 2_000), count: 3)))),
        SessionStep(at: at, .slowStream(upTo: 500)), SessionStep(at: at + number(60...600), .stallClient(for: 400)),
      ]
    case 2:
      // A tool gets the place that it waits for, and the client no processor until the backend waits for neither.
      let start = 9_050 + number(0...250)
      return [
        SessionStep(at: at, .say(message, plan(calling: [call(.serial, 9_000), call(.serial, 200)]))),
        SessionStep(at: at + start, .stallClient(for: 40_500 - start + number(0...5_000))),
      ]
    case 3:
      // A backend ends at a step of a turn.
      let calls = Array(repeating: call(.plain, 200), count: number(0...2))
      return [
        SessionStep(at: at, .say(message, plan(calling: calls))),
        SessionStep(
          at: at, .killBackend(number(0...backends - 1), step: number(1...90), down: pick([0, 200, 15_000]))),
      ]
    default:
      // The stream is left when the first of several calls is answered, with the others under way.
      return [
        SessionStep(at: at, .say(message, plan(calling: Array(repeating: call(.plain, 5), count: 3)))),
        SessionStep(at: at, .slowStream(upTo: pick([500, 1_500]))), SessionStep(at: at, .lingerStream),
        SessionStep(at: at + 60, .disturbRequests(.expired, count: 1)),
      ]
    }
  }

  private func plan(calling calls: [TurnPlan.Call]) -> TurnPlan {
    TurnPlan(parts: [
      TurnPlan.Part(pieces: [], pace: 1, calls: calls, fails: false),
      TurnPlan.Part(pieces: Array(repeating: "so ", count: 5), pace: 3_000, calls: [], fails: false),
    ])
  }

  private func call(_ tool: TurnPlan.Tool, _ duration: Int) -> TurnPlan.Call {
    TurnPlan.Call(
      tool: tool, duration: duration, fails: false, heedsCancellation: true, decision: .approve, hesitation: 10,
      repeatsID: false)
  }

  // MARK: Faults

  private mutating func fault(_ backends: Int) -> SessionStep.Event {
    let backend = number(0...backends - 1)
    let short = pick([50, 500, 3_000])
    let long = pick([1_000, 8_000, 25_000])
    switch number(0...19) {
    case 0...3:
      return .killClient(
        step: pick([1, 1, 2, 3, 5, 9, 20]), kept: pick([0, 0.3, 0.7, 1]), down: pick([0, 400, 15_000]))
    case 4:
      let time = pick([3_000, 40_000, 90_000])
      return generator.chance(0.5) ? .suspendClient(for: time) : .stallClient(for: pick([100, 400, time]))
    case 5: return .setClientClock(seconds: pick([-86_400, -30, 30, 3_600]))
    case 6...7:
      let step = generator.chance(0.5) ? pick([1, 2, 3, 5, 9, 20]) : nil
      return .killBackend(backend, step: step, down: pick([200, 2_000, 15_000]))
    case 8: return .stopBackend(backend, down: pick([200, 2_000, 15_000]))
    case 9: return .pauseBackend(backend, for: pick([500, 8_000, 25_000]))
    case 10: return .setBackendClock(backend, seconds: pick([-600, -5, 5, 600]))
    case 11...12: return .disturbStorage(pick(StorageFault.allCases), for: pick([short, long]))
    case 13: return .trim(keeping: pick([0, 0.3, 0.8]))
    case 14...15: return .cutStream(afterBytes: number(0...900))
    case 16: return .loseEvent
    case 17: return .repeatEvents(number(1...6), isShuffled: generator.chance(0.5))
    case 18: return generator.chance(0.4) ? .lingerStream : .cutStream(afterBytes: number(0...200))
    default: return .disturbRequests(pick(RequestFate.allCases), count: number(1...4))
    }
  }
}
