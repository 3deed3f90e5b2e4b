import EventStream
import HTTP3Engine

/// One event stream as a simulated client follows it.
struct SimulatedStream {
  enum State: Hashable {
    /// Not asked for yet.
    case idle
    /// Is asked for as soon as there is a connection.
    case wanted
    case open
    /// Broken; to be asked for again at a time.
    case waiting(until: Int64)
    case done
  }

  var state = State.idle
  var id: StreamID?
  /// The sequence to continue with after a break.
  var next = 0
  var parser = EventStreamParser(limits: StreamClientRules.limits)
  /// The time of the last byte, or of the request.
  var lastActivity: Int64 = 0
  var respondedAt: Int64?
  var downloaded = 0
  /// A tool's result that is to be sent, and whether the server has it.
  var wantsTool = false
  var hasToolAnswer = false
  private var backoff = Backoff(StreamClientRules.backoff)

  mutating func begin(_ id: StreamID, at now: Int64) {
    self.id = id
    state = .open
    lastActivity = now
    respondedAt = nil
    parser.restart()
  }

  /// Waits as an event-source client does.
  mutating func wait(at now: Int64, using generator: inout some RandomNumberGenerator) {
    let end = respondedAt.map { StreamEnd.lost(uptime: .nanoseconds(max(0, now - $0))) } ?? .refused(retryAfter: nil)
    id = nil
    respondedAt = nil
    state = .waiting(until: now + backoff.delay(after: end, using: &generator).nanosecondsClamped)
  }
}
