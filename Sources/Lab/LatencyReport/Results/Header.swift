package struct Header: Codable, Hashable, Sendable {
  package var question: String
  /// One sentence with its interval.
  package var verdict: String
  /// One sentence about what would change the verdict.
  package var caveat: String
  package var provenance: Provenance
  /// Sentences that are always there: realised loss, discards, coordinated omission, where the other arm wins.
  package var honesty: [String]

  package init(question: String, verdict: String, caveat: String, provenance: Provenance, honesty: [String]) {
    self.question = question
    self.verdict = verdict
    self.caveat = caveat
    self.provenance = provenance
    self.honesty = honesty
  }
}
