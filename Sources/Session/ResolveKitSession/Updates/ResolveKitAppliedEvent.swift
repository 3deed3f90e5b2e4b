public import ResolveKitCore

/// One event of the session's log after it had its effect.
public struct ResolveKitAppliedEvent: Equatable, Sendable {
  /// Opaque; empty where the server gave none.
  public var eventID: String
  /// The event's `type`, such as one of ``/ResolveKitCore/ResolveKitEventType``; others are kept as they are.
  public var type: String
  /// The turn that the event belongs to; nil where it belongs to none.
  public var turnID: String?
  /// The time of arrival, in nanoseconds of CLOCK_MONOTONIC.
  public var arrivedAt: UInt64
  /// The payload, with numbers as `Double`.
  public var payload: JSONObject
  /// A call's arguments as they came, byte for byte; nil for any other event.
  public var argumentsText: String?

  /// Creates an event, as a test of an app does; a runtime makes its own.
  public init(
    eventID: String, type: String, turnID: String?, arrivedAt: UInt64, payload: JSONObject, argumentsText: String? = nil
  ) {
    self.eventID = eventID
    self.type = type
    self.turnID = turnID
    self.arrivedAt = arrivedAt
    self.payload = payload
    self.argumentsText = argumentsText
  }
}
