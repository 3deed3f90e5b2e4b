package import LinkModel

/// The points that the report draws, thinned so that a document stays small.
package struct PlotData: Codable, Hashable, Sendable {
  /// Excess latency of all events of an arm's kept runs.
  package var distributions: [Distribution]
  /// One repetition, drawn for each arm: the one whose p95 is the arm pair's median difference.
  package var timelines: [Timeline]

  package init(distributions: [Distribution] = [], timelines: [Timeline] = []) {
    self.distributions = distributions
    self.timelines = timelines
  }

  package struct Distribution: Codable, Hashable, Sendable {
    package var arm: String
    /// Sorted by quantile: from 0 to 0.9999 and 1, dense in the tail; excess in milliseconds.
    package var points: [QuantilePoint]

    package init(arm: String, points: [QuantilePoint]) {
      self.arm = arm
      self.points = points
    }
  }

  package struct QuantilePoint: Codable, Hashable, Sendable {
    package var quantile: Double
    package var milliseconds: Double

    package init(quantile: Double, milliseconds: Double) {
      self.quantile = quantile
      self.milliseconds = milliseconds
    }
  }

  /// All times in milliseconds from the schedule's start.
  package struct Timeline: Codable, Hashable, Sendable {
    package var arm: String
    package var repetition: Int
    package var events: [TimelineEvent]
    package var drops: [TimelineDrop]
    package var stalls: [TimelineStall]
    /// Bytes queued at the link toward the client, and one-way delay of packets, thinned to at most 400 points.
    package var queue: [TimelineSample]
    package var delay: [TimelineSample]
    /// Events that are not in `events` because there were too many to draw; the late ones are kept first.
    package var leftOut: Int

    package init(
      arm: String, repetition: Int, events: [TimelineEvent], drops: [TimelineDrop], stalls: [TimelineStall],
      queue: [TimelineSample], delay: [TimelineSample], leftOut: Int = 0
    ) {
      self.arm = arm
      self.repetition = repetition
      self.events = events
      self.drops = drops
      self.stalls = stalls
      self.queue = queue
      self.delay = delay
      self.leftOut = leftOut
    }
  }

  package struct TimelineEvent: Codable, Hashable, Sendable {
    package var stream: Int
    package var scheduled: Double
    package var received: Double?

    package init(stream: Int, scheduled: Double, received: Double?) {
      self.stream = stream
      self.scheduled = scheduled
      self.received = received
    }
  }

  package struct TimelineDrop: Codable, Hashable, Sendable {
    package var at: Double
    package var direction: LinkDirection
    package var cause: PacketLogEntry.Cause

    package init(at: Double, direction: LinkDirection, cause: PacketLogEntry.Cause) {
      self.at = at
      self.direction = direction
      self.cause = cause
    }
  }

  package struct TimelineStall: Codable, Hashable, Sendable {
    package var stream: Int
    package var from: Double
    package var to: Double

    package init(stream: Int, from: Double, to: Double) {
      self.stream = stream
      self.from = from
      self.to = to
    }
  }

  package struct TimelineSample: Codable, Hashable, Sendable {
    package var at: Double
    package var value: Double

    package init(at: Double, value: Double) {
      self.at = at
      self.value = value
    }
  }
}
