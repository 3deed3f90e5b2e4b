/// The verdict on a case by the client's lines alone: pure, so that made-up lines test it.
struct StreamingVerdict: Hashable, Sendable {
  /// The faults, a sentence each; empty where there are none.
  var reasons: [String]
  /// Nil where no event came.
  var numbers: StreamingNumbers?

  var succeeded: Bool { reasons.isEmpty }

  /// Requirements that are waived for a server that is known to lack them.
  struct Waivers: Hashable, Sendable {
    /// Whether it keeps the keys of session tickets through a restart.
    var keepsTickets = true
    /// Whether it lets clients migrate to another address.
    var allowsMigration = true
  }

  /// - Parameter hasEnded: whether the client ended by itself, in time.
  init(_ test: StreamingCase, _ record: StreamingRecord, hasEnded: Bool, waivers: Waivers = Waivers()) {
    var judge = StreamingJudge(test: test, record: record)
    judge.checkEvents()
    judge.checkEnds(hasEnded: hasEnded)
    judge.checkLateness()
    judge.checkTransports()
    judge.checkConnections(waivers)
    reasons = judge.reasons
    numbers = judge.numbers
  }
}
