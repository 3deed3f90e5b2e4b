/// A client process's instructions: a JSON file, so that clients in any language can take part.
struct ClientPlan: Codable, Hashable, Sendable {
  /// The origin, for example `https://198.18.1.100:4433`.
  var origin: String
  /// PEM file of the authority that signed the server's certificate.
  var authorityFile: String
  /// The times at which each stream's events are due, from the schedule's start.
  var offsetsNanoseconds: [[Int64]]
  /// From the first request to the schedule's start: time to connect and to open all streams.
  var leadMilliseconds: Double
  /// From the schedule's start; the client gives up what has not come by then.
  var deadlineMilliseconds: Double
  /// The event, as a place in its stream, that asks for a tool's result; nil: none does.
  var toolSequence: Int?
  /// The event, as a place in its stream, after which the origin breaks the response off, once for each stream; nil:
  /// none.
  var abortSequence: Int?
  /// Bytes to download instead of opening streams.
  var downloadBytes: Int?
  /// Size of one event on the stream, all its lines included; nil: ``Workload/defaultEventBytes``.
  var eventBytes: Int?
  /// Silence after which a client takes a stream for broken, the same for all clients; nil: 25 s, which is what our own
  /// event-source client takes, or more where the schedule itself is silent for longer.
  var idleTimeoutMilliseconds: Double?
}

extension ClientPlan {
  /// A schedule's plan.
  init(
    origin: String, authorityFile: String, schedule: StreamSchedule, leadMilliseconds: Double,
    deadlineMilliseconds: Double, downloadBytes: Int? = nil, eventBytes: Int? = nil,
    idleTimeoutMilliseconds: Double? = nil
  ) {
    self.init(
      origin: origin, authorityFile: authorityFile, offsetsNanoseconds: schedule.offsetsNanoseconds,
      leadMilliseconds: leadMilliseconds, deadlineMilliseconds: deadlineMilliseconds,
      toolSequence: schedule.toolSequence, downloadBytes: downloadBytes, eventBytes: eventBytes,
      idleTimeoutMilliseconds: idleTimeoutMilliseconds)
  }

  var leadNanoseconds: Int64 { StreamSchedule.nanoseconds(leadMilliseconds) }
  var deadlineNanoseconds: Int64 { StreamSchedule.nanoseconds(deadlineMilliseconds) }

  /// The longest time between two events, or from the opening to the first or from the last to the deadline.
  private var longestSilenceNanoseconds: Int64 {
    offsetsNanoseconds.map { offsets in
      var longest: Int64 = leadNanoseconds + (offsets.first ?? 0)
      for (earlier, later) in zip(offsets, offsets.dropFirst()) { longest = max(longest, later - earlier) }
      return longest
    }.max() ?? 0
  }

  /// ``idleTimeoutMilliseconds``, or its default.
  var idleTimeout: Duration {
    if let idleTimeoutMilliseconds { return .nanoseconds(StreamSchedule.nanoseconds(idleTimeoutMilliseconds)) }
    return max(.seconds(25), .nanoseconds(longestSilenceNanoseconds) + .seconds(5))
  }
}
