import ResolveKitCore

/// The app's tools as the schedule has them behave.
final class ClientTools {
  private enum Run {
    case going
    case cancelled
  }

  private let life: Life
  private let schedule: SessionSchedule
  private let observe: (Observation) -> Void
  private let onReturn: (ToolCallKey, ToolOutcome) -> Void
  private var runs: [ToolCallKey: Run] = [:]

  static let policies = TurnPlan.Tool.allCases.filter { $0 != .missing }.map { tool in
    ToolPolicy(
      name: tool.rawValue, requiresApproval: tool.asks, fingerprint: tool.rawValue, isIdempotent: tool == .repeatable,
      serialKey: tool == .serial ? "serial" : nil)
  }

  init(
    life: Life, _ schedule: SessionSchedule, observe: @escaping (Observation) -> Void,
    onReturn: @escaping (ToolCallKey, ToolOutcome) -> Void
  ) {
    self.life = life
    self.schedule = schedule
    self.observe = observe
    self.onReturn = onReturn
  }

  /// The plan of a call; nil where the schedule, which may have been shortened, has none.
  static func plan(_ arguments: JSONObject, in schedule: SessionSchedule) -> TurnPlan.Call? {
    guard let message = arguments["message"].flatMap(TypeResolver.coerceInt),
      let call = arguments["call"].flatMap(TypeResolver.coerceInt)
    else { return nil }
    return schedule.plan(message)?.call(call)
  }

  func start(_ call: ToolCall) {
    let key = call.key
    let plan = Self.plan(call.request.arguments, in: schedule)
    runs[key] = .going
    observe(.toolStarted(Observation.Call(key), tool: call.functionName, arguments: call.request.argumentsText))
    life.after(milliseconds: plan?.duration ?? 0) {
      self.end(key, plan?.fails == true ? .failure("It broke.") : .success(["ran": .string(key.callID)]))
    }
  }

  func cancel(_ key: ToolCallKey) {
    guard let run = runs[key], case .going = run else { return }
    observe(.toolCancelled(Observation.Call(key)))
    runs[key] = .cancelled
    guard heeds(key) else { return }
    life.after(milliseconds: 1) { self.end(key, .failure("Cancelled.")) }
  }

  /// The schedule says which of the cancelled tools end; a call's id names its place in it.
  private func heeds(_ key: ToolCallKey) -> Bool {
    let parts = key.callID.split(separator: "-")
    guard parts.count == 3, let message = Int(parts[1]), let call = Int(parts[2]) else { return true }
    return schedule.plan(message)?.call(call)?.heedsCancellation ?? true
  }

  func cancelAll() {
    for key in runs.keys.sorted(by: { ($0.turnID, $0.callID) < ($1.turnID, $1.callID) }) { cancel(key) }
  }

  private func end(_ key: ToolCallKey, _ outcome: ToolOutcome) {
    guard runs.removeValue(forKey: key) != nil else { return }
    observe(.toolReturned(Observation.Call(key)))
    onReturn(key, outcome)
  }
}

extension Observation.Call {
  init(_ key: ToolCallKey) { self.init(turn: key.turnID, id: key.callID, repetition: key.repetition ?? "") }
}
