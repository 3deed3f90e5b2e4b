package struct RunMetrics: Encodable, Hashable, Sendable {
  package var repetition: Int
  /// The seed of the link's draws and of the schedule.
  package var seed: UInt64
  package var values: [Metric: Double]
  package var events: Int
  /// The client's reason for a run that is not whole; its missing events are counted as late until the end.
  package var failure: String?
  /// The smallest excess latency before it was raised to 0, milliseconds. Below -0.05 the clock or the configured
  /// delay is wrong.
  package var rawMinimumExcess: Double?
  /// The number of events that could be assigned to a packet of the link's log; nil without a log.
  package var attributedEvents: Int?
  /// The machine's load meanwhile; nil where it was not measured.
  package var load: MachineLoad?

  package init(
    repetition: Int, seed: UInt64, values: [Metric: Double], events: Int, failure: String? = nil,
    rawMinimumExcess: Double? = nil, attributedEvents: Int? = nil, load: MachineLoad? = nil
  ) {
    self.repetition = repetition
    self.seed = seed
    self.values = values
    self.events = events
    self.failure = failure
    self.rawMinimumExcess = rawMinimumExcess
    self.attributedEvents = attributedEvents
    self.load = load
  }
}
