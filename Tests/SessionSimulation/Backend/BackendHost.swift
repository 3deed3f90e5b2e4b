import EventLedger
import ReferenceBackend

/// The machine that a backend runs on: starts its processes, ends them, holds them up.
final class BackendHost {
  let number: Int
  private let agenda: Agenda
  private let link: SimulatedLink
  private let database: SimulatedDatabase
  private let model: ModelScript
  private let isShared: Bool
  private let observe: SessionObserver
  private(set) var process: BackendProcess?
  /// Counts starts and ends, so that what is planned for one life does nothing to the next.
  private var changes = 0
  private var clockShift = Duration.zero

  init(
    _ number: Int, isShared: Bool, on agenda: Agenda, _ link: SimulatedLink, _ database: SimulatedDatabase,
    _ model: ModelScript, observe: @escaping SessionObserver
  ) {
    self.number = number
    self.isShared = isShared
    self.agenda = agenda
    self.link = link
    self.database = database
    self.model = model
    self.observe = observe
  }

  private var isUp: Bool { process != nil }

  func start() {
    guard process == nil else { return }
    changes += 1
    observe(.backendStarted(number), nil)
    let new = BackendProcess(
      number: number, isShared: isShared, on: agenda, database, model,
      clock: { [weak self] in self?.now ?? WallTime(microseconds: SimulatedDatabase.epoch) }, observe: observe)
    process = new
    link.connect(new)
    new.start()
  }

  private var now: WallTime {
    WallTime(microseconds: SimulatedDatabase.epoch + Int64(clamping: agenda.now / 1_000)) + clockShift
  }

  func receive(_ change: LedgerChange) { process?.receive(change) }

  func setClock(forward seconds: Int) { clockShift += .seconds(min(max(seconds, -86_400), 86_400)) }

  /// Kills the process in place of the `steps`th thing that it does from now on; nil: at once.
  func kill(inSteps steps: Int?, down: Int) {
    guard let old = process else { return }
    guard let steps else { return die(old, down: down) }
    old.life.end(inSteps: steps) { [weak self] in self?.die(old, down: down) }
  }

  private func die(_ old: BackendProcess, down: Int) {
    guard process === old else { return }
    remove(old)
    startAgain(after: down)
  }

  /// Has the process let go of its turns, and end.
  func stop(down: Int) {
    guard let old = process, !old.isStopping else { return }
    old.stop {
      guard self.process === old else { return }
      self.remove(old)
      self.startAgain(after: down)
    }
  }

  func pause(for milliseconds: Int) {
    guard let process, !process.life.isPaused else { return }
    observe(.backendPaused(number, for: milliseconds), nil)
    process.life.pause()
    agenda.after(milliseconds: milliseconds) { process.life.resume() }
  }

  private func remove(_ old: BackendProcess) {
    changes += 1
    observe(.backendEnded(number), nil)
    link.disconnect(old)
    old.end()
    process = nil
  }

  private func startAgain(after milliseconds: Int) {
    let change = changes
    agenda.after(milliseconds: milliseconds) { if self.changes == change { self.start() } }
  }

  /// All is well.
  func heal() {
    clockShift = .zero
    process?.life.stayAlive()
    process?.life.resume()
    start()
  }

  /// The run is over.
  func clear() {
    process?.end()
    process = nil
  }
}
