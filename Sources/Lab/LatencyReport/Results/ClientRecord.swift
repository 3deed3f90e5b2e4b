/// A client's record of a run. Clients in other languages write the same JSON.
package struct ClientRecord: Codable, Hashable, Sendable {
  /// The protocol in use: `h3`, `h2` or `h1`.
  package var spoken: String
  package var connections: Int
  /// The time at which the first request was given to the client, cold.
  package var requested: Int64
  /// The end of the first connection's handshake; nil where the client does not know it.
  package var connected: Int64?
  /// The schedule's start; events are due at offsets from it.
  package var start: Int64
  /// The time at which the client stopped.
  package var ended: Int64
  /// One for each stream: when it was asked for, and when its first event was parsed.
  package var openings: [Opening]
  package var events: [EventRecord]
  /// Breaks of a stream that was resumed.
  package var reconnects: [Reconnect]
  /// Duplicate events that were discarded.
  package var duplicates: Int
  /// CPU time of the client's process, user and system.
  package var cpuSeconds: Double
  /// Name and version of the client and its libraries.
  package var software: String
  /// The reason for which the run is not whole, in words; nil when all went well.
  package var failure: String?

  package init(
    spoken: String, connections: Int, requested: Int64, connected: Int64?, start: Int64, ended: Int64,
    openings: [Opening], events: [EventRecord], reconnects: [Reconnect] = [], duplicates: Int = 0, cpuSeconds: Double,
    software: String, failure: String? = nil
  ) {
    self.spoken = spoken
    self.connections = connections
    self.requested = requested
    self.connected = connected
    self.start = start
    self.ended = ended
    self.openings = openings
    self.events = events
    self.reconnects = reconnects
    self.duplicates = duplicates
    self.cpuSeconds = cpuSeconds
    self.software = software
    self.failure = failure
  }

  package struct Opening: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Hashable, Sendable {
      /// The opening: a new connection, a resumed TLS session, early data, or a connection that was already there.
      case cold, resumed, zeroRTT, warm
    }

    package var stream: Int
    package var kind: Kind
    package var requested: Int64
    /// The time at which the first event, which the server sends at once, was parsed.
    package var firstEvent: Int64?

    package init(stream: Int, kind: Kind, requested: Int64, firstEvent: Int64?) {
      self.stream = stream
      self.kind = kind
      self.requested = requested
      self.firstEvent = firstEvent
    }
  }

  package struct Reconnect: Codable, Hashable, Sendable {
    package var stream: Int
    /// The time at which the client noticed the break.
    package var noticed: Int64
    /// The last event before and the first after it, nil if there is none.
    package var lastEvent: Int64?
    package var nextEvent: Int64?

    package init(stream: Int, noticed: Int64, lastEvent: Int64?, nextEvent: Int64?) {
      self.stream = stream
      self.noticed = noticed
      self.lastEvent = lastEvent
      self.nextEvent = nextEvent
    }
  }
}
