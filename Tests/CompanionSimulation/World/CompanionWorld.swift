package import SessionSimulation

/// The whole world of one run: codex, a companion beside it, two devices, and the time that they share.
package final class CompanionWorld {
  private let schedule: CompanionSchedule
  private let agenda = Agenda()
  private let codex: SimulatedCodex
  private let host: CompanionHost
  private let devices: [RemoteDevice]

  /// The time that the world may take to come to rest when all is well again, in milliseconds.
  private static let patience = 3_600_000

  /// - Parameter onObservation: receives everything that happens, with its moment.
  package init(
    _ schedule: CompanionSchedule, onObservation: @escaping (CompanionObservation, Moment) -> Void
  ) {
    self.schedule = schedule
    let agenda = agenda
    let observe: (CompanionObservation) -> Void = { onObservation($0, agenda.now) }
    let codex = SimulatedCodex(on: agenda, seed: schedule.setting.seed, observe: observe)
    let host = CompanionHost(on: agenda, codex, seed: schedule.setting.seed, observe: observe)
    self.codex = codex
    self.host = host
    devices = (0..<CompanionSchedule.devices).map { RemoteDevice($0, on: agenda, host, schedule, observe: observe) }
  }

  /// Runs to the end. Returns why the world did not come to rest; nil where it did.
  package func run() -> String? {
    host.onAppend = { [devices] in for device in devices { device.pump() } }
    host.onEnd = { [devices] in for device in devices { device.disconnect() } }
    codex.start()
    host.start()
    for device in devices { device.connect() }
    for step in schedule.steps {
      agenda.at(Moment(0).adding(milliseconds: step.at)) { [unowned self] in perform(step.event) }
    }
    let end = Moment(0).adding(milliseconds: schedule.setting.end)
    while agenda.step(before: end, clock: { _ in }) {}
    codex.heal()
    host.heal()
    for device in devices { device.heal() }
    let unrest = settle()
    agenda.clear()
    (host.onAppend, host.onEnd) = ({}, {})
    host.clear()
    return unrest
  }

  private func settle() -> String? {
    let end = agenda.now.adding(milliseconds: Self.patience)
    var rest: Moment?
    while agenda.step(before: end, clock: { _ in }) {
      guard unrest == nil else {
        rest = nil
        continue
      }
      // What is under way arrives.
      let begin = rest ?? agenda.now
      rest = begin
      if agenda.now >= begin.adding(milliseconds: 15_000) { return nil }
    }
    return unrest
  }

  /// The part that is not at rest yet; nil for none.
  private var unrest: String? {
    if !codex.isAtRest { return "codex has turns" }
    guard let companion = host.process, companion.isAtRest else { return "the companion is not there, or writes" }
    if devices.contains(where: { $0.unanswered > 0 }) { return "a decision is not answered" }
    return nil
  }

  private func perform(_ event: CompanionStep.Event) {
    switch event {
    case .turn(let number, let plans, let isAtOnce): codex.take(number, plans, atOnce: isAtOnce)
    case .killCompanion(let step, let down): host.kill(inSteps: step, down: down)
    case .pauseCompanion(let time): host.pause(for: time)
    case .killCodex(let down): codex.kill(down: down)
    case .cutCodex(let time): codex.cut(for: time)
    case .cutDevice(let number, let time): with(number) { $0.cut(for: time) }
    case .loseAnswer(let number): with(number) { $0.loseAnswer() }
    }
  }

  private func with(_ number: Int, _ body: (RemoteDevice) -> Void) {
    if devices.indices.contains(number) { body(devices[number]) }
  }
}
