/// Judges a turn on the backend as the model has it: each call has one result, the one that the client gave, or that its time
/// is over, and an answer is what was said of it, piece by piece.
struct ConversationChecker {
  private typealias Call = Observation.Call

  /// Results as the client gave them.
  private var given: [Call: String] = [:]
  private var expired: Set<Call> = []
  /// The calls whose results the model was told of, by turn.
  private var told: [String: [String]] = [:]

  mutating func take(_ observation: Observation, _ truth: LogTruth, _ violations: inout Violations) {
    switch observation {
    case .resultTaken(let turn, let id, _, let outcome, "accepted"):
      given[Call(turn: turn, id: id, repetition: "")] = outcome
    case .resultTaken(let turn, let id, _, _, "notPending"):
      let call = Call(turn: turn, id: id, repetition: "")
      let isWaitedFor = given[call] == nil && !expired.contains(call) && truth.ends[turn] == nil
      violations.require(
        !isWaitedFor || truth.calls[call] == nil, nil, "a result of \(id) of \(turn) is refused, which is waited for")
    case .appended(let sequence, _, let turn, "turn_complete", _):
      let (text, answer) = (truth.text(of: turn, through: sequence), truth.answers[turn] ?? "")
      // A backend may say all of it at the end.
      violations.require(
        text.isEmpty || text == answer, nil, "the answer of \(turn) is '\(answer)', and '\(text)' was said")
    case .callExpired(let turn, let id): expired.insert(Call(turn: turn, id: id, repetition: ""))
    case .modelAsked(let turn, _, let results?): ask(turn, results, truth, &violations)
    default: break
    }
  }

  private mutating func ask(
    _ turn: String, _ results: [Observation.ToldResult], _ truth: LogTruth, _ violations: inout Violations
  ) {
    let ids = results.map(\.id)
    violations.require(Set(ids).count == ids.count, nil, "the model is told twice of a call of \(turn): \(ids)")
    violations.require(
      ids.starts(with: told[turn] ?? []), nil, "the model was told of \(told[turn] ?? []) of \(turn), now of \(ids)")
    told[turn] = ids
    for id in truth.calls(of: turn, through: truth.last) {
      violations.require(ids.contains(id), nil, "the model goes on without the result of \(id) of \(turn)")
    }
    for result in results { check(result, Call(turn: turn, id: result.id, repetition: ""), truth, &violations) }
  }

  private func check(
    _ result: Observation.ToldResult, _ call: Call, _ truth: LogTruth, _ violations: inout Violations
  ) {
    // The client is not asked for a tool that nobody has.
    guard truth.calls[call] != nil else { return }
    if let given = given[call] {
      violations.require(
        result.content.contains(given), nil,
        "the model is told '\(result.content)' of \(call.id), which gave '\(given)'")
    } else {
      violations.require(
        expired.contains(call), nil, "the model is told '\(result.content)' of \(call.id), which gave nothing yet")
    }
  }
}
