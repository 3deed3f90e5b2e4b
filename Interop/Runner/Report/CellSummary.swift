/// All runs of a client against a server in a case, as one cell of the matrix shows them.
struct CellSummary: Hashable, Sendable {
  var verdict: Verdict
  /// The reasons for which it is no success.
  var reasons: [String] = []
  /// Of a failure: why, where all that was seen is known of one of the peers.
  var explanation: String?
  /// Of a measurement: mean and standard deviation with the unit. Of a test: what was measured beside.
  var details = ""
  var seconds = 0.0

  /// One run that fails is enough: what works at times does not work. nil without runs.
  init?(_ outcomes: [Outcome], of testCase: InteropCase, _ peers: [Peer] = []) {
    guard
      let worst = [Verdict.failed, .unsupported, .succeeded].first(where: { verdict in
        outcomes.contains { $0.verdict == verdict }
      })
    else { return nil }
    verdict = worst
    seconds = outcomes.reduce(0) { $0 + $1.seconds } / Double(outcomes.count)
    let bad = outcomes.enumerated().filter { $1.verdict == worst }
    if worst == .failed {
      let known = bad.map { KnownFailure.explanation(of: $1, in: testCase, peers) }
      if !known.contains(nil) { explanation = Array(Set(known.compactMap(\.self))).sorted().joined(separator: " ") }
    }
    if worst != .succeeded {
      let isEach = outcomes.count > 1
      if isEach {
        reasons.append("\(bad.count) of \(outcomes.count) runs \(worst == .failed ? "failed" : "were not supported").")
      }
      for (index, outcome) in bad {
        for reason in outcome.reasons {
          let text = isEach ? "Run \(index + 1): \(reason)" : reason
          if !reasons.contains(text) { reasons.append(text) }
        }
      }
    } else if case .measurement(_, let unit) = testCase.kind {
      details = Goodput.text(outcomes.compactMap(\.value), unit: unit)
    }
    if !testCase.isMeasurement { details = outcomes.map(\.details).filter { !$0.isEmpty }.joined(separator: "; ") }
  }
}
