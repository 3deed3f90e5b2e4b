/// One line of `STREAM.jsonl`; keys that have nothing to say are left out.
struct StreamLine: Encodable, Sendable {
  enum Kind: String, Encodable, Sendable {
    /// The first line: requests follow at once.
    case started
    /// The response is an event stream.
    case opened
    case event
    /// The stream or an attempt ended, and another attempt follows.
    case disconnected
    /// The stream said that it is at its end.
    case ended
    /// The stream ended before it said so, and no attempt follows.
    case failed
    /// The last line, after which nothing is written.
    case summary
  }

  var kind: Kind
  /// `CLOCK_MONOTONIC` in nanoseconds, which all namespaces of a machine share; an event's is its last byte's arrival.
  var at: UInt64
  /// The place of its URL in REQUESTS, from 0; nil in the summary.
  var stream: Int?
  /// The id that the event carried.
  var id: String?
  var type: String?
  /// The data's first bytes.
  var data: String?
  /// Bytes of the whole data.
  var bytes: Int?
  /// `h3` or `h1`.
  var transport: String?
  /// Connections count from 1 in the order in which streams were opened over them.
  var connection: Int?
  var resumption: String?
  /// Why this transport and no other, in the race's words.
  var reason: String?
  /// Why the stream or the attempt ended.
  var cause: String?
  /// Whether the server ended the response in good order.
  var isClean: Bool?
  var retryInMilliseconds: Int?
  var summary: Summary?

  struct Summary: Encodable, Sendable {
    var streams = 0
    var ended = 0
    var connections = 0
    var reconnects = 0
    /// How often each cause ended a stream or an attempt.
    var causes: [String: Int] = [:]
    /// How often the last connection went over to another of this machine's addresses.
    var migrations: Int?
    /// The last connection's smoothed round trip in nanoseconds.
    var roundTrip: Int64?
    /// Resident bytes before the first request, and the most at any time since the program's start.
    var residentBefore: Int?
    var residentPeak: Int?
  }

  /// What is kept of an event's data: all of a short one, and the beginning of a padded one.
  static let dataLimit = 200

  init(_ kind: Kind, at: UInt64, stream: Int? = nil) {
    self.kind = kind
    self.at = at
    self.stream = stream
  }
}
