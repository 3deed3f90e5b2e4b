import EventLedger
import LinkModel
import SessionSimulation

/// The companion's machine: its disk, and one process after the other.
final class CompanionHost {
  private let agenda: Agenda
  private let codex: SimulatedCodex
  private let observe: (CompanionObservation) -> Void
  private let now: () -> WallTime
  private var generator: SeededGenerator
  private var changes = 0
  let disk: CompanionDisk
  private(set) var process: CompanionProcess?
  /// Told of a process that is gone, and of new events.
  var onEnd: () -> Void = {}
  var onAppend: () -> Void = {}

  /// A day in 2026, in microseconds.
  private static let epoch: Int64 = 1_790_000_000_000_000

  init(
    on agenda: Agenda, _ codex: SimulatedCodex, seed: UInt64, observe: @escaping (CompanionObservation) -> Void
  ) {
    self.agenda = agenda
    self.codex = codex
    self.observe = observe
    generator = SeededGenerator(seed: seed ^ 0xc0_4057)
    now = { WallTime(microseconds: Self.epoch + Int64(clamping: agenda.now / 1_000)) }
    disk = CompanionDisk(now: now)
  }

  func start() {
    guard process == nil else { return }
    changes += 1
    let new = CompanionProcess(
      CompanionProcess.Surroundings(
        agenda: agenda, codex: codex, disk: disk, now: now, observe: observe,
        onAppend: { [weak self] in self?.onAppend() }), seed: generator.next())
    process = new
    new.start()
  }

  /// Kills the process before the `steps`th thing that it does from now on.
  func kill(inSteps steps: Int, down: Int) {
    process?.end(inSteps: steps) { [weak self] in self?.die(down: down) }
  }

  private func die(down: Int) {
    guard let old = process else { return }
    observe(.companionEnded)
    old.life.end()
    codex.leave(old)
    process = nil
    onEnd()
    changes += 1
    let change = changes
    agenda.after(milliseconds: down) { [weak self] in if self?.changes == change { self?.start() } }
  }

  func pause(for milliseconds: Int) {
    guard let process, !process.life.isPaused else { return }
    process.life.pause()
    observe(.companionPaused(for: milliseconds))
    agenda.after(milliseconds: milliseconds) { process.life.resume() }
  }

  func heal() {
    process?.stayAlive()
    process?.life.resume()
    start()
  }

  func clear() {
    process?.life.end()
    process = nil
  }
}
