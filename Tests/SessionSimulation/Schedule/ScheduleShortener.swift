/// Makes a failing schedule shorter, as long as it still fails.
package enum ScheduleShortener {
  /// - Parameter fails: whether a schedule shows the failure.
  package static func shorten(
    _ schedule: SessionSchedule, fails: (SessionSchedule) -> Bool = { !SessionRun.run($0).violations.isEmpty }
  ) -> SessionSchedule {
    var best = schedule
    while let shorter = candidates(of: best).first(where: fails) { best = shorter }
    return best
  }

  /// Schedules that are a little shorter, the shortest first.
  private static func candidates(of schedule: SessionSchedule) -> some Sequence<SessionSchedule> {
    let withoutSteps = schedule.steps.indices.lazy.map { index in
      var shorter = schedule
      shorter.steps.remove(at: index)
      return shorter
    }
    let simpler = schedule.steps.indices.lazy.flatMap { index in
      simplifications(of: schedule.steps[index].event).map { event in
        var shorter = schedule
        shorter.steps[index].event = event
        return shorter
      }
    }
    let oneBackend = schedule.setting.backends > 1 ? [with(schedule) { $0.backends = 1 }] : []
    let uncompacted = schedule.setting.compactsEvery != nil ? [with(schedule) { $0.compactsEvery = nil }] : []
    let oneClient = schedule.setting.clients != nil ? [with(schedule) { $0.clients = nil }] : []
    let plain = schedule.setting.lineEnd != nil ? [with(schedule) { $0.lineEnd = nil }] : []
    return [
      AnySequence(withoutSteps), AnySequence(oneBackend), AnySequence(oneClient), AnySequence(uncompacted),
      AnySequence(plain),
      AnySequence(simpler),
    ]
    .lazy.joined()
  }

  private static func with(
    _ schedule: SessionSchedule, _ change: (inout SessionSchedule.Setting) -> Void
  ) -> SessionSchedule {
    var changed = schedule
    change(&changed.setting)
    return changed
  }

  private static func simplifications(of event: SessionStep.Event) -> [SessionStep.Event] {
    guard case .say(let number, let plan) = event else { return [] }
    return simplifications(of: plan).map { .say(number, $0) }
  }

  private static func simplifications(of plan: TurnPlan) -> [TurnPlan] {
    var plans: [TurnPlan] = []
    for part in plan.parts.indices {
      // The last one ends the turn.
      if part + 1 < plan.parts.count {
        plans.append(with(plan) { $0.parts.remove(at: part) })
      }
      for call in plan.parts[part].calls.indices where plan.parts[part].calls.count > 1 {
        plans.append(with(plan) { $0.parts[part].calls.remove(at: call) })
      }
      for piece in plan.parts[part].pieces.indices {
        plans.append(with(plan) { $0.parts[part].pieces.remove(at: piece) })
      }
    }
    return plans
  }

  private static func with(_ plan: TurnPlan, _ change: (inout TurnPlan) -> Void) -> TurnPlan {
    var changed = plan
    change(&changed)
    return changed
  }
}
