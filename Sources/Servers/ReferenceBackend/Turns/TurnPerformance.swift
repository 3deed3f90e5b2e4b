import EventLedger
import Logging

/// The actions of one turn's machine, and what they leave behind while it runs: a model at work, a timer.
///
/// Used by the turn's one task.
final class TurnPerformance {
  private let claim: TurnClaim
  private let services: TurnServices
  private let mailbox: TurnMailbox
  private let isStopping: @Sendable () -> Bool
  private var model: Task<Void, Never>?
  private var timer: (deadline: WallTime, task: Task<Void, Never>)?
  private var appends = 0
  private var isSilent: Bool?

  init(
    _ claim: TurnClaim, _ services: TurnServices, _ mailbox: TurnMailbox, isStopping: @escaping @Sendable () -> Bool
  ) {
    self.claim = claim
    self.services = services
    self.mailbox = mailbox
    self.isStopping = isStopping
  }

  /// Hands events to the machine, and performs its actions. What the model said in several events in a row is stored in one
  /// go: under load one flush of the disk then serves many words.
  func take(_ events: [TurnCourse.Event], _ machine: inout TurnCourse) async {
    var said: [EventEntry] = []
    for event in events {
      if let entries = saying(event, &machine) {
        said += entries
        continue
      }
      await publish(said, &machine)
      said = []
      await take(event, &machine)
    }
    await publish(said, &machine)
    keepTime(machine.deadline)
  }

  /// The words of an event from which nothing follows but that they are published; nil for another event, which the machine
  /// has not seen then: what it does next may depend on whether the words before could be stored.
  private func saying(_ event: TurnCourse.Event, _ machine: inout TurnCourse) -> [EventEntry]? {
    guard case .modelSaid = event else { return nil }
    var next = machine
    var said: [EventEntry] = []
    for action in next.handle(event, now: services.now()) {
      guard case .publish(let entries) = action else { return nil }
      said += entries
    }
    machine = next
    return said
  }

  private func publish(_ said: [EventEntry], _ machine: inout TurnCourse) async {
    guard !said.isEmpty, let event = await perform(.publish(said)) else { return }
    await take(event, &machine)
  }

  /// Hands an event to the machine, performs its actions, and hands it what came of them.
  private func take(_ event: TurnCourse.Event, _ machine: inout TurnCourse) async {
    var next: TurnCourse.Event? = event
    while let event = next {
      next = nil
      for action in machine.handle(event, now: services.now()) {
        next = await perform(action)
        if next != nil { break }
      }
    }
  }

  /// Returns when nothing runs on.
  func finish() async {
    timer?.task.cancel()
    model?.cancel()
    await model?.value
  }

  /// Returns what came of it, where the machine has to know.
  private func perform(_ action: TurnCourse.Action) async -> TurnCourse.Event? {
    switch action {
    case .ask(let conversation, let part): return await ask(conversation, part)
    case .stopModel:
      model?.cancel()
      return nil
    case .publish(let entries):
      appends += 1
      return await attempt { try await self.append(entries, key: "\(self.claim.lease.fence).\(self.appends)") }
    case .keep(let round): return await attempt { try await self.services.calls.begin(round, of: self.claim) }
    case .openCall(let call, let due):
      return await attempt {
        let (due, outcome) = try await self.services.calls.open(call, of: self.claim, due: due)
        return .callOpened(due: due, outcome: outcome)
      }
    case .closeCall(let call):
      return await attempt { .callClosed(try await self.services.calls.close(call, of: self.claim)) }
    case .look(let call): return await attempt { try await self.look(call) }
    case .report(let failure):
      // An operator who is the client's user need not read twice what the client is sent.
      let isTold = if case .model = failure { services.rules.explainsModelErrors } else { false }
      services.logger.log(level: isTold ? .info : .warning, "turn \(claim.turnID) failed: \(failure.logged)")
      return nil
    case .end(let ending): return await end(ending)
    case .reportEndFailure(let reason):
      services.logger.error("the end of turn \(claim.turnID) could not be written, and is tried again: \(reason)")
      return nil
    case .leave:
      await services.leases.handOver(claim.lease)
      return nil
    }
  }

  private func ask(_ conversation: ModelConversation, _ part: Int) async -> TurnCourse.Event? {
    // Two processes must not ask for one turn: who lost it while it waited finds out here.
    let refusal = await attempt {
      try await self.services.leases.prove(self.claim.lease, clock: self.services.clock)
    }
    if let refusal { return refusal }
    model = Task { [model = services.model, mailbox, previous = model] in
      // A part that was called off may take its time.
      await previous?.value
      do {
        try await model.reply(to: conversation) { output in
          try Task.checkCancellation()
          switch output {
          case .text(let text): await mailbox.deliver(.modelSaid(text, part: part))
          case .toolCalls(let calls): await mailbox.deliver(.modelCalled(calls, part: part))
          case .usage(let usage): await mailbox.deliver(.modelUsed(usage, part: part))
          }
          try Task.checkCancellation()
        }
        mailbox.post(.modelEnded(part: part))
      } catch { mailbox.post(.modelFailed(TurnFailure(error), part: part)) }
    }
    return nil
  }

  private func append(_ entries: [EventEntry], key: String) async throws {
    _ = try await services.log.append(
      entries, turnID: claim.turnID, requestID: claim.requestID, base: claim.base, under: claim.lease,
      key: "\(claim.turnID).\(key)")
  }

  private func look(_ call: String?) async throws -> TurnCourse.Event? {
    let interruption = try await services.turns.interruption(of: claim.turnID)
    var outcome: CallOutcome?
    if let call { outcome = try await services.calls.outcome(of: call, in: claim.turnID) }
    return interruption == nil && outcome == nil ? nil : .looked(interruption: interruption, outcome: outcome)
  }

  /// Each step finds out whether it was done before, by this process or another.
  private func end(_ ending: TurnEnding) async -> TurnCourse.Event? {
    let isSilent = self.isSilent ?? (ending.status == .complete && services.faults.takeSilentEnd())
    self.isSilent = isSilent
    do {
      let settled = try await services.turns.settle(claim, isSilent ? ending.silenced : ending, now: services.now())
      try await append(settled.events, key: "end")
      try await services.turns.end(claim, as: settled.status)
      await services.leases.release(claim.lease)
      return .ended
    } catch let error as LedgerError where error.code == .fenced {
      return .leaseLost
    } catch { return .endFailed("\(error)") }
  }

  private func attempt(_ body: () async throws -> Void) async -> TurnCourse.Event? {
    await attempt {
      try await body()
      return nil
    }
  }

  private func attempt(_ body: () async throws -> TurnCourse.Event?) async -> TurnCourse.Event? {
    await StorageRetry.attempt(isStopping: isStopping, body)
  }

  private func keepTime(_ deadline: WallTime?) {
    guard deadline != timer?.deadline else { return }
    timer?.task.cancel()
    timer = deadline.map { deadline in
      let rest = max(.zero, services.now().duration(to: deadline))
      return (
        deadline,
        Task { [clock = services.clock, mailbox] in
          guard (try? await clock.sleep(for: rest)) != nil else { return }
          mailbox.post(.timePassed(deadline))
        }
      )
    }
  }
}
