public import ResolveKitCore

/// One event of the session's log after it had its effect.
public struct ResolveKitAppliedEvent: Equatable, Sendable {
  /// Opaque; empty where the server gave none.
  public var eventID: String
  public var type: String
  public var turnID: String?
  /// When it arrived, in nanoseconds of CLOCK_MONOTONIC.
  public var arrivedAt: UInt64
  /// With numbers as `Double`.
  public var payload: JSONObject
  /// A call's arguments as they came, byte for byte; nil for any other event.
  public var argumentsText: String?

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
