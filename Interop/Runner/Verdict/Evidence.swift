/// The traces of a run that it is judged by.
struct Evidence: Sendable {
  var clientTrace: Trace
  var serverTrace: Trace
  /// Whether there were secrets to decrypt the traces with.
  var hasKeys: Bool
  /// Sentences about files that are missing, too many or not as they were.
  var fileProblems: [String] = []
}

/// Something that must be seen: nil, or a sentence about what was seen instead.
struct Rule: Sendable {
  var name: String
  var problem: @Sendable (Evidence) -> String?

  init(_ name: String, _ problem: @escaping @Sendable (Evidence) -> String?) {
    self.name = name
    self.problem = problem
  }
}

extension InteropCase {
  /// The verdict on a run whose client ended well. It lists every fault, not only the first.
  func outcome(of evidence: Evidence) -> Outcome {
    if needsKeys, !evidence.hasKeys {
      return .unsupported("Neither side wrote a key log (SSLKEYLOGFILE), and this verdict needs decrypted packets.")
    }
    let reasons = rules.compactMap { $0.problem(evidence) } + evidence.fileProblems
    guard reasons.isEmpty else { return Outcome(verdict: .failed, reasons: reasons) }
    guard isMeasurement else { return Outcome(verdict: .succeeded) }
    guard let value = Goodput.kilobitsPerSecond(evidence.clientTrace, bytes: files.reduce(0) { $0 + $1.bytes }) else {
      return .failed(
        "The client's trace has fewer than two 1-RTT packets of the server, so there is no time to divide by.")
    }
    return Outcome(verdict: .succeeded, value: value)
  }
}
