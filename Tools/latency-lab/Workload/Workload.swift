/// The traffic of one run; open loop, so the schedule is fixed before the run.
struct Workload: Codable, Hashable, Sendable {
  /// Streams at the same time; HTTP/1.1 takes a connection for each.
  var streams: Int
  var durationSeconds: Double
  var cadence: Cadence
  /// Whether the events of all streams are due at the same times; otherwise streams are staggered evenly.
  var isAligned: Bool?
  /// Size of one event on the stream, all its lines included.
  var eventBytes: Int?
  /// A time in which nothing is due.
  var thinking: Thinking?
  /// A tool call in the middle: the events after it wait for the client's result.
  var tool: ToolCall?
  /// One body of this size instead of events.
  var downloadBytes: Int?
  /// Whether a TCP download of its own fills the link beside the streams.
  var crossTraffic: Bool?

  enum Cadence: Codable, Hashable, Sendable {
    case steady(tokensPerSecond: Double)
    /// Log-normal gaps with this mean rate; `sigma` of the underlying normal distribution.
    case jittered(tokensPerSecond: Double, sigma: Double)
    /// Several events at once, again and again.
    case bursts(tokens: Int, everyMilliseconds: Double)
    /// Offsets from the start, repeated until the duration is full.
    case recorded(offsetsMilliseconds: [Double])
  }

  struct Thinking: Codable, Hashable, Sendable {
    var startMilliseconds: Double
    var durationMilliseconds: Double
  }

  struct ToolCall: Codable, Hashable, Sendable {
    var atMilliseconds: Double
  }

  static let defaultEventBytes = 85
}
