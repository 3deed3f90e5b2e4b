import LinkModel

/// One of the project's own cases: an event stream over a link on which something happens.
struct StreamingCase: Hashable, Sendable {
  /// TESTCASE of client and server.
  var name: String
  /// In the matrix; the public runner's letters are others.
  var letter: String
  /// A summary in a few words.
  var summary: String
  var link: LinkConditions
  var workload: StreamingWorkload
  var incidents: [StreamingIncident] = []
  var rule: StreamingRule
  /// The public runner's case without which a server cannot have this one: where the server lacks that, it lacks this.
  var needs: String?

  /// From the client's start to the moment at which the first event is due: time to connect and to open all streams.
  static let leadMilliseconds = 1_500.0

  /// The time limit of a run, from the client's start: the schedule, the latest that an event may come, and the
  /// machine's own slowness.
  var limitMilliseconds: Double {
    Self.leadMilliseconds + workload.milliseconds + rule.latestMilliseconds + 5_000
  }
}
