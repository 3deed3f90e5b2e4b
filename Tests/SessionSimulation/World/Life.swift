/// The life of a simulated process: what it waits for happens while it lives, and not while it stands still.
package final class Life {
  private struct Held {
    let body: () -> Void
    let isTimer: Bool
  }

  private enum State {
    case running
    case paused([Held])
    /// Does what had to wait, a thing at each step; what comes meanwhile comes behind it.
    case catchingUp([Held])
    case over
  }

  private var state = State.running
  private let agenda: Agenda
  /// Things to do until the process ends, and what ends it.
  private var death: (steps: Int, body: () -> Void)?

  package init(on agenda: Agenda) { self.agenda = agenda }

  package var isOver: Bool { if case .over = state { true } else { false } }
  package var isPaused: Bool { if case .paused = state { true } else { false } }

  /// Does something now, or when the process continues; never, if it is over by then.
  package func run(_ body: @escaping () -> Void) { run(Held(body: body, isTimer: false)) }

  private func run(_ new: Held) {
    switch state {
    case .running: if survivesStep() { new.body() }
    case .paused(let held): state = .paused(held + [new])
    case .catchingUp(let held): state = .catchingUp(held + [new])
    case .over: break
    }
  }

  package func after(milliseconds: Int, isTimer: Bool = false, _ body: @escaping () -> Void) {
    agenda.after(milliseconds: milliseconds) { self.run(Held(body: body, isTimer: isTimer)) }
  }

  package func pause() {
    switch state {
    case .running: state = .paused([])
    case .catchingUp(let held): state = .paused(held)
    case .paused, .over: break
    }
  }

  /// Does what had to wait, in order, each thing at a step of its own.
  ///
  /// - Parameter lateness: the milliseconds by which what the process had set itself a time for comes later than what others
  ///   have sent it; nil for in order.
  package func resume(timersLateBy lateness: Int? = nil) {
    guard case .paused(let held) = state else { return }
    let late = lateness == nil ? [] : held.filter(\.isTimer)
    state = .catchingUp(lateness == nil ? held : held.filter { !$0.isTimer })
    agenda.after(milliseconds: 0) { self.catchUp() }
    for timer in late { agenda.after(milliseconds: lateness ?? 0) { self.run(timer) } }
  }

  private func catchUp() {
    guard case .catchingUp(let held) = state else { return }
    guard let next = held.first else { return state = .running }
    state = .catchingUp(Array(held.dropFirst()))
    if survivesStep() { next.body() }
    agenda.after(milliseconds: 0) { self.catchUp() }
  }

  package func end() { state = .over }

  // MARK: An end at a step

  /// Has `body` end the process in place of the `steps`th thing that it does from now on.
  package func end(inSteps steps: Int, _ body: @escaping () -> Void) { death = (max(1, steps), body) }

  /// Calls off an end that was to come.
  package func stayAlive() { death = nil }

  private func survivesStep() -> Bool {
    guard let next = death else { return true }
    death = next.steps > 1 ? (next.steps - 1, next.body) : nil
    guard next.steps <= 1 else { return true }
    next.body()
    return false
  }
}
