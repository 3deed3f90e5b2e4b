/// One event of the session's stream. Decoding is tolerant: only an object is asked for, unknown types pass.
public struct ResolveKitEnvelope: Hashable, Sendable {
  /// Opaque; compared for equality only.
  public var eventID: String?
  /// The turn that the event belongs to; nil where the server named none. A message from outside a turn may carry an
  /// id of its own.
  public var turnID: String?
  /// The `request_id` of the message that began the turn; nil where the server named none.
  public var requestID: String?
  /// ISO 8601 as the server wrote it, 0 to 6 fraction digits.
  public var timestamp: String?
  /// One of ``ResolveKitEventType``; others are kept, and a client passes over them.
  public var type: String
  /// The event's own fields; empty where it has none. Numbers are `Double`.
  public var payload: JSONObject {
    didSet { argumentsText = nil }
  }
  /// A call's `arguments` as they came, byte for byte, readable or not; nil for an event that is no call, or has none.
  package private(set) var argumentsText: String?

  /// Creates an event, as a backend or a test does.
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
  ///
  /// A call whose arguments alone cannot be read is one without `arguments` in its payload, so that it can be answered.
  public init(parsing data: String, fallbackType: String? = nil) throws(JSONError) {
    let bytes = Array(data.utf8)
    let fault: JSONError?
    do {
      try self.init(JSONValue(parsing: bytes), fallbackType: fallbackType)
      fault = nil
    } catch {
      guard let place = Self.placeOfArguments(in: bytes),
        let rest = try? JSONValue(parsing: bytes[..<place.lowerBound] + Array("null".utf8) + bytes[place.upperBound...])
      else { throw error }
      try self.init(rest, fallbackType: fallbackType)
      fault = error
    }
    if type == ResolveKitEventType.toolCallRequest {
      argumentsText = Self.placeOfArguments(in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
      if argumentsText == "null" { argumentsText = nil }
    } else if let fault {
      throw fault
    }
  }

  private static func placeOfArguments(in bytes: [UInt8]) -> Range<Int>? {
    JSONParser<JSONValue>.place(of: ["payload", "arguments"], in: bytes)
  }

  /// Reads a parsed envelope. Ids that are numbers are taken as their text.
  package init(_ value: JSONValue, fallbackType: String? = nil) throws(JSONError) {
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
