/// A failure of a peer's that was looked into: what is seen, and why it is so, with the evidence.
struct KnownFailure: Hashable, Sendable, Decodable {
  /// Letters of the cases.
  var cases: [String]
  /// A part of the reason that the runner gives; with another reason it is another failure.
  var seen: String
  /// Why, in words.
  var why: String

  /// Our endpoint's as a server.
  static let ours = [
    KnownFailure(
      cases: ["CM"], seen: "has no PATH_CHALLENGE",
      why: "ngtcp2 1.11 answers the client's probe of the preferred address with a PATH_RESPONSE alone, and challenges "
        + "the client when it moves there; the transfer is whole.")
  ]

  /// The fault of a file's values; nil if there is none.
  var problem: String? {
    let letters = Set(CaseSelection.known.map(\.abbreviation))
    if cases.isEmpty { return "\"fails\" has an entry without cases" }
    if let unknown = cases.first(where: { !letters.contains($0) }) {
      return "\"fails\" names '\(unknown)', which is no case"
    }
    if seen.isEmpty || why.isEmpty {
      return "\"fails\" says nothing in \"seen\" or \"why\" of \(cases.joined(separator: " "))"
    }
    return nil
  }

  /// The reason for which an outcome is a failure; nil unless each of its reasons is known to one of the peers.
  static func explanation(of outcome: Outcome, in testCase: InteropCase, _ peers: [Peer]) -> String? {
    let known = peers.flatMap(\.fails).filter { $0.cases.contains(testCase.abbreviation) }
    var why: [String] = []
    for reason in outcome.reasons {
      guard let failure = known.first(where: { reason.contains($0.seen) }) else { return nil }
      if !why.contains(failure.why) { why.append(failure.why) }
    }
    return why.isEmpty ? nil : why.joined(separator: " ")
  }
}
