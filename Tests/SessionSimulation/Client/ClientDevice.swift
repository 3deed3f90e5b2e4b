import LinkModel
import ResolveKitCore

/// The client's machine: its disk and clocks, and one process after the other.
final class ClientDevice {
  private let agenda: Agenda
  private let around: ClientProcess.Surroundings
  private let observe: (Observation) -> Void
  private var generator: SeededGenerator
  private(set) var process: ClientProcess?
  private var changes = 0

  init(_ around: ClientProcess.Surroundings, seed: UInt64) {
    self.around = around
    agenda = around.agenda
    observe = around.observe
    generator = SeededGenerator(seed: seed ^ 0xc11e)
  }

  func start() {
    guard process == nil else { return }
    changes += 1
    let new = ClientProcess(around, seed: generator.next())
    process = new
    new.start()
  }

  /// Kills the process before the `steps`th thing that it does from now on.
  func kill(inSteps steps: Int, kept share: Double, down: Int) {
    process?.end(inSteps: steps) { [weak self] in self?.die(kept: share, down: down) }
  }

  private func die(kept share: Double, down: Int) {
    guard let old = process else { return }
    observe(.clientEnded(isKill: true))
    old.die(kept: share)
    process = nil
    startAgain(after: down)
  }

  func restart(down: Int) {
    guard let old = process, !old.life.isPaused else { return }
    old.stop()
    // It may have come to its end on the way.
    guard process === old else { return }
    observe(.clientEnded(isKill: false))
    process = nil
    startAgain(after: down)
  }

  private func startAgain(after milliseconds: Int) {
    let change = changes
    agenda.after(milliseconds: milliseconds) { [weak self] in if self?.changes == change { self?.start() } }
  }

  /// The process stands still while all clocks continue, as one does that gets no processor; then its timers fire behind
  /// what others sent it, by up to 59 ms, because it shares the processor.
  func stall(for milliseconds: Int) {
    guard let process, !process.life.isPaused else { return }
    process.life.pause()
    observe(.clientSuspended)
    agenda.after(milliseconds: milliseconds) { [observe] in
      observe(.clientResumed)
      process.life.resume(timersLateBy: milliseconds % 60)
    }
  }

  /// Everything stands still; the monotonic clock with it.
  func suspend(for milliseconds: Int) {
    guard let process, !process.life.isPaused else { return }
    process.life.pause()
    observe(.clientSuspended)
    let began = agenda.now
    agenda.after(milliseconds: milliseconds) { [around, agenda, observe] in
      around.clock.suspended(for: agenda.now - began)
      observe(.clientResumed)
      process.life.resume()
    }
  }

  /// All is well.
  func heal() {
    process?.stayAlive()
    start()
  }

  /// The run is over.
  func clear() {
    process?.life.end()
    process = nil
  }
}
