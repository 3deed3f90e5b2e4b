import ResolveKitCore

/// The deadlines that the machine has scheduled; each name has one.
final class ClientTimers {
  private let life: Life
  private let now: () -> MonotonicNanoseconds
  private let report: (TurnEvent) -> Void
  private var numbers: [TurnDeadline: Int] = [:]
  private var count = 0

  init(life: Life, now: @escaping () -> MonotonicNanoseconds, report: @escaping (TurnEvent) -> Void) {
    self.life = life
    self.now = now
    self.report = report
  }

  func set(_ deadline: TurnDeadline, at moment: MonotonicNanoseconds) {
    count += 1
    let number = count
    numbers[deadline] = number
    let now = now()
    let wait = moment > now ? (moment - now) / 1_000_000 + 1 : 0
    // Nothing is waited for longer than a run lasts.
    life.after(milliseconds: Int(clamping: min(wait, 1 << 40)), isTimer: true) {
      guard self.numbers[deadline] == number else { return }
      self.numbers[deadline] = nil
      self.report(.deadlinePassed(deadline, at: max(moment, self.now())))
    }
  }

  func cancel(_ deadline: TurnDeadline) { numbers[deadline] = nil }
}
