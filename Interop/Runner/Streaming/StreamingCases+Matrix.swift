extension StreamingCases {
  /// The same as cases of the matrix: no files, and no rule over packets, for the client's lines are the evidence.
  static let matrix: [InteropCase] = all.map { test in
    InteropCase(test.letter, test.name, about: "An event stream: \(test.summary).", files: [], rules: []).changed {
      $0.stream = test
      $0.usualSeconds = (StreamingCase.leadMilliseconds + test.workload.milliseconds) / 1_000 + 1
    }
  }
}

extension Peer {
  /// The reason for which the peer takes no part in a streaming case; nil if it takes part.
  func reasonForLacking(_ test: StreamingCase, _ role: Role) -> String? {
    guard !isOurs else { return nil }
    guard role == .server else { return "it follows no event streams" }
    guard streams else { return lacks["sse"] ?? "it cannot stand before an origin of events" }
    return test.needs.flatMap { lacks[$0] }
  }
}
