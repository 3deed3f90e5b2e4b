public import ResolveKitCore

/// One event of a session's stream as it came.
public struct ResolveKitStreamedEvent: Hashable, Sendable {
  /// The `id` field: where the stream goes on once this event is applied. Empty where none was sent.
  public var id: String
  /// The `event` field.
  public var type: String
  public var data: String
  /// When it arrived, in nanoseconds of CLOCK_MONOTONIC.
  public var arrivedAt: UInt64

  public init(id: String, type: String, data: String, arrivedAt: UInt64) {
    self.id = id
    self.type = type
    self.data = data
    self.arrivedAt = arrivedAt
  }

  /// The event's content.
  ///
  /// Throws where the data are no envelope. Such an event is passed over by asking for the next one: the cursor moves
  /// past it, so that no reconnect meets it again.
  public func envelope() throws(JSONError) -> ResolveKitEnvelope {
    try ResolveKitEnvelope(parsing: data, fallbackType: type)
  }
}
