import EventLedger

/// A value that follows from the events of one stream. Pure: the same events give the same value in every process.
protocol StreamFold: Sendable {
  /// The value of a stream without events.
  init()

  /// Takes the next event. No stored event is refused: what does not fit is passed over.
  mutating func apply(_ event: LedgerEvent)
}
