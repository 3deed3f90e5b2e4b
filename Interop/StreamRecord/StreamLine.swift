/// One line of `STREAM.jsonl`, which a client writes and the runner judges by; keys that have nothing to say are left out.
package struct StreamLine: Codable, Hashable, Sendable {
  package enum Kind: String, Codable, Sendable {
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

  package var kind: Kind
  /// `CLOCK_MONOTONIC` in nanoseconds, which all namespaces of a machine share; an event's is its last byte's arrival.
  package var at: Int64
  /// The place of its URL in REQUESTS, from 0; nil in the summary.
  package var stream: Int?
  /// The id that the event carried.
  package var id: String?
  package var type: String?
  /// The data's first bytes.
  package var data: String?
  /// Bytes of the whole data.
  package var bytes: Int?
  /// `h3` or `h1`.
  package var transport: String?
  /// Connections count from 1 in the order in which streams were opened over them.
  package var connection: Int?
  package var resumption: String?
  /// The reason for this transport, in the race's words.
  package var reason: String?
  /// The reason for which the stream or the attempt ended.
  package var cause: String?
  /// Whether the server ended the response gracefully.
  package var isClean: Bool?
  package var retryInMilliseconds: Int?
  package var summary: Summary?

  package struct Summary: Codable, Hashable, Sendable {
    package var streams = 0
    package var ended = 0
    package var connections = 0
    package var reconnects = 0
    /// The number of streams and attempts that each cause ended.
    package var causes: [String: Int] = [:]
    /// The number of times that the last connection migrated to another of this machine's addresses.
    package var migrations: Int?
    /// The last connection's smoothed round trip in nanoseconds.
    package var roundTrip: Int64?
    /// Resident bytes before the first request, and the most at any time since the program's start.
    package var residentBefore: Int?
    package var residentPeak: Int?

    package init(streams: Int = 0, migrations: Int? = nil, residentBefore: Int? = nil, residentPeak: Int? = nil) {
      self.streams = streams
      self.migrations = migrations
      self.residentBefore = residentBefore
      self.residentPeak = residentPeak
    }
  }

  /// The length that is kept of an event's data: all of a short one, and the beginning of a padded one.
  package static let dataLimit = 200

  package init(_ kind: Kind, at: Int64, stream: Int? = nil) {
    self.kind = kind
    self.at = at
    self.stream = stream
  }
}
