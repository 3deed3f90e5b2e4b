/// One event of the session's stream. Decoding is tolerant: only an object is asked for, unknown types pass.
public struct ResolveKitEnvelope: Hashable, Sendable {
  /// Opaque; compared for equality only.
  public var eventID: String?
  public var turnID: String?
  public var requestID: String?
  /// ISO 8601 as the server wrote it, 0 to 6 fraction digits.
  public var timestamp: String?
  public var type: String
  public var payload: JSONObject
  /// The text of a call's `arguments`, where a number in it has digits that `payload` can't hold.
  package private(set) var argumentsText: String?

  public init(
    eventID: String?, turnID: String?, requestID: String?, timestamp: String? = nil, type: String,
    payload: JSONObject
  ) {
    self.eventID = eventID
    self.turnID = turnID
    self.requestID = requestID
    self.timestamp = timestamp
    self.type = type
    self.payload = payload
  }

  /// Reads the `data` of a server-sent event.
  /// - Parameter fallbackType: the event's `event:` field, used where the envelope names no type.
  public init(parsing data: String, fallbackType: String? = nil) throws(JSONError) {
    try self.init(JSONValue(parsing: data), fallbackType: fallbackType)
    if type == ResolveKitEventType.toolCallRequest { argumentsText = ResolveKitArguments.exactText(inEvent: data) }
  }

  /// Reads a parsed envelope. Ids that are numbers are taken as their text.
  public init(_ value: JSONValue, fallbackType: String? = nil) throws(JSONError) {
    guard let members = value.objectValue else {
      throw JSONError(.unexpectedShape, "an event's data is not an object")
    }
    func text(_ name: String) -> String? {
      switch members[name] {
      case .string(let text) where !text.isEmpty: text
      case .number(let number): TypeResolver.coerceString(.number(number))
      default: nil
      }
    }
    guard let type = text("type") ?? fallbackType else {
      throw JSONError(.unexpectedShape, "an event names no type")
    }
    switch members["payload"] {
    case nil, .null: payload = [:]
    case .object(let object): payload = object
    default: throw JSONError(.unexpectedShape, "an event's payload is not an object")
    }
    self.type = type
    eventID = text("event_id")
    turnID = text("turn_id")
    requestID = text("request_id")
    timestamp = text("timestamp")
  }

  /// The envelope as JSON; absent fields are left out.
  public var json: JSONValue {
    var members: JSONObject = ["type": .string(type), "payload": .object(payload)]
    members["event_id"] = eventID.map { .string($0) }
    members["turn_id"] = turnID.map { .string($0) }
    members["request_id"] = requestID.map { .string($0) }
    members["timestamp"] = timestamp.map { .string($0) }
    return .object(members)
  }
}

extension ResolveKitEnvelope: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(JSONValue(from: decoder))
  }

  public func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }
}
