/// What became of a case, by the client's lines alone: pure, so that made-up lines test it.
struct StreamingVerdict: Hashable, Sendable {
  /// What is wrong, a sentence each; empty where nothing is.
  var reasons: [String]
  /// Nil where no event came.
  var numbers: StreamingNumbers?

  var succeeded: Bool { reasons.isEmpty }

  /// What a server is known to lack is not asked of it.
  struct Leniency: Hashable, Sendable {
    /// It keeps what session tickets are sealed with through a restart.
    var keepsTickets = true
    /// It lets clients move to another address.
    var allowsMigration = true
  }

  /// - Parameter hasEnded: whether the client ended by itself, in time.
  init(_ test: StreamingCase, _ record: StreamingRecord, hasEnded: Bool, leniency: Leniency = Leniency()) {
    var judge = StreamingJudge(test: test, record: record)
    judge.checkEvents()
    judge.checkEnds(hasEnded: hasEnded)
    judge.checkLateness()
    judge.checkTransports()
    judge.checkConnections(leniency)
    reasons = judge.reasons
    numbers = judge.numbers
  }
}
