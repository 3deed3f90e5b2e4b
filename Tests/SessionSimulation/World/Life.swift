/// The life of a simulated process: what it waits for happens while it lives, and not while it stands still.
final class Life {
  private enum State {
    case running
    case paused(held: [() -> Void])
    case over
  }

  private var state = State.running
  private let agenda: Agenda

  init(on agenda: Agenda) { self.agenda = agenda }

  var isOver: Bool { if case .over = state { true } else { false } }
  var isPaused: Bool { if case .paused = state { true } else { false } }

  /// Does something now, or when the process continues; never, if it is over by then.
  func run(_ body: @escaping () -> Void) {
    switch state {
    case .running: body()
    case .paused(let held): state = .paused(held: held + [body])
    case .over: break
    }
  }

  func after(milliseconds: Int, _ body: @escaping () -> Void) {
    agenda.after(milliseconds: milliseconds) { self.run(body) }
  }

  func pause() { if case .running = state { state = .paused(held: []) } }

  /// Does what had to wait, in order, each thing at a step of its own.
  func resume() {
    guard case .paused(let held) = state else { return }
    state = .running
    for body in held { after(milliseconds: 0, body) }
  }

  func end() { state = .over }
}
