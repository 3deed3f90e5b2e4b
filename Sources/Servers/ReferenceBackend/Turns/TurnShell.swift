import EventLedger
import Logging
import Synchronization

/// Performs a turn's actions: asks the model, writes, keeps the time, and reports the outcomes to the machine.
final class TurnShell: Sendable {
  private struct Control {
    var isStopping = false
    var claim: TurnClaim?
  }

  let turn: TurnStore.Record
  private let isNew: Bool
  private let services: TurnServices
  private let mailbox = TurnMailbox()
  private let control = Mutex(Control())
  /// Called when the turn begins to wait for a call that a person has to approve, and when that is over.
  private let hold: @Sendable (Bool) -> Void

  /// - Parameter isNew: whether this process began the turn, and no other had it.
  init(_ turn: TurnStore.Record, isNew: Bool, _ services: TurnServices, hold: @escaping @Sendable (Bool) -> Void) {
    self.turn = turn
    self.isNew = isNew
    self.services = services
    self.hold = hold
  }

  /// The lease under which the turn is this process's; nil while it is not.
  var lease: LedgerLease? { control.withLock { $0.claim?.lease } }

  /// Rows of the turn may have changed.
  func signal() { mailbox.post(.signalled) }

  /// Another process has the turn.
  func loseLease() { mailbox.post(.leaseLost) }

  /// Has the turn left as the next process is to find it.
  func stop() {
    control.withLock { $0.isStopping = true }
    mailbox.post(.stopped)
  }

  /// Runs the turn to its end, or until this process lets go of it. Not to be cancelled, which databases take for an order.
  func run() async {
    guard let claim = await claim() else { return mailbox.close() }
    control.withLock { $0.claim = claim }
    let run = TurnPerformance(claim, services, mailbox, isStopping: { self.isStopping })
    var machine = TurnCourse(rules: services.rules)
    if let opening = await opening(claim) { await run.take([opening], &machine) }
    if machine.isOver { mailbox.close() }
    var isHeld = false
    while case let events = await mailbox.take(), !events.isEmpty {
      await run.take(events, &machine)
      if machine.isHeld != isHeld {
        isHeld = machine.isHeld
        hold(isHeld)
      }
      if machine.isOver { mailbox.close() }
    }
    await run.finish()
  }

  private var isStopping: Bool { control.withLock { $0.isStopping } }

  /// The first event; the database may be away while it is looked for.
  private func opening(_ claim: TurnClaim) async -> TurnCourse.Event? {
    let entrance = TurnEntrance(services: services)
    return await StorageRetry.attempt(isStopping: { isStopping }) {
      try await entrance.opening(claim, isNew: isNew)
    }
  }

  /// Takes possession of the turn. One that was begun here and is nobody's yet would be silent for ever, so it is tried
  /// until the database allows it; others have theirs looked after again and again.
  private func claim() async -> TurnClaim? {
    let entrance = TurnEntrance(services: services)
    while !isStopping {
      do {
        if let claim = try await entrance.claim(turn, isNew: isNew) { return claim }
        let now = try await services.turns.turn(turn.id)
        guard let now, now.status == .running, isNew ? now.fence == 0 : !services.leases.isShared else { return nil }
      } catch {
        services.logger.error("turn \(turn.id) cannot begin, and is tried again: \(error)")
        if services.leases.isShared, !isNew { return nil }
      }
      try? await Task.sleep(for: .milliseconds(250))
    }
    return nil
  }
}
