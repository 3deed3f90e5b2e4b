package import LinkModel

/// Draws a companion's schedule from a seed.
package struct CompanionScheduleGenerator {
  private var generator: SeededGenerator
  private let seed: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    generator = SeededGenerator(seed: seed ^ 0xc0_4a11)
  }

  package mutating func schedule() -> CompanionSchedule {
    let end = number(10_000...90_000)
    var steps: [CompanionStep] = []
    for turn in 1...number(1...4) {
      let isAtOnce = generator.chance(0.5)
      let plans = (0..<number(1...3)).map { plan(mayBeTool: !isAtOnce || $0 == 0) }
      steps.append(CompanionStep(at: number(0...end / 2), .turn(turn, plans, atOnce: isAtOnce)))
    }
    for _ in 0..<number(0...6) { steps.append(CompanionStep(at: number(100...end - 1), fault())) }
    if generator.chance(0.2) {
      // The answer is on its way when the connection to codex is lost, or the companion ends.
      let at = number(500...end / 2)
      let reaction = QuestionPlan.Reaction(answer: .approve, after: 1_000)
      let plan = QuestionPlan(
        kind: .command, matter: 9, patience: 30_000, duration: 10,
        reactions: [reaction, generator.chance(0.5) ? reaction : nil])
      steps.append(CompanionStep(at: at, .turn(9, [plan], atOnce: false)))
      steps.append(
        CompanionStep(
          at: at + 1_000 + number(0...80),
          generator.chance(0.5) ? .cutCodex(for: number(0...3_000)) : .killCompanion(step: 1, down: number(0...3_000))))
    }
    steps.sort { $0.at < $1.at }
    return CompanionSchedule(setting: CompanionSchedule.Setting(seed: seed, end: end), steps: steps)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0...elements.count - 1)] }

  /// - Parameter mayBeTool: codex calls the tools of a server one after the other.
  private mutating func plan(mayBeTool: Bool) -> QuestionPlan {
    let kind: QuestionPlan.Kind =
      mayBeTool ? pick([.command, .fileChange, .tool, .tool]) : pick([.command, .fileChange])
    return QuestionPlan(
      kind: kind, matter: number(1...2), patience: pick([800, 5_000, 30_000]), duration: pick([0, 50, 3_000]),
      reactions: (0..<CompanionSchedule.devices).map { _ in reaction(to: kind) })
  }

  private mutating func reaction(to kind: QuestionPlan.Kind) -> QuestionPlan.Reaction? {
    guard generator.chance(0.75) else { return nil }
    return QuestionPlan.Reaction(
      answer: pick([.approve, .approve, .decline, .allowForSession, .allowAlways]),
      after: pick([10, 300, 300, 790, 2_000, 4_990, 12_000]) + number(0...20))
  }

  private mutating func fault() -> CompanionStep.Event {
    switch number(0...9) {
    case 0...2: .killCompanion(step: pick([1, 1, 2, 3, 5, 8]), down: pick([0, 300, 8_000]))
    case 3: .pauseCompanion(for: pick([200, 3_000, 20_000]))
    case 4: .killCodex(down: pick([0, 300, 8_000]))
    case 5...6: .cutCodex(for: pick([0, 300, 8_000]))
    case 7: .cutDevice(number(0...CompanionSchedule.devices - 1), for: pick([300, 5_000, 20_000]))
    default: .loseAnswer(number(0...CompanionSchedule.devices - 1))
    }
  }
}
