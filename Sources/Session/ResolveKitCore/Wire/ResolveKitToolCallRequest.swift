/// Payload of `tool_call_request`.
public struct ResolveKitToolCallRequest: Hashable, Sendable {
  /// Unique within the turn as far as the model's provider makes it so. A call with an empty one cannot be answered.
  public var callID: String
  /// The registered name of the tool.
  public var functionName: String
  /// The arguments with numbers as `Double`. Setting them sets ``argumentsText``.
  public var arguments: JSONObject {
    didSet { argumentsText = JSONValue.object(arguments).jsonText }
  }
  /// The arguments as they came, byte for byte: what a decision on the call is bound to, and what the tool gets.
  public private(set) var argumentsText: String
  /// Seconds, within 1 to 300; 30 where the event names none.
  public var timeoutSeconds: Int
  /// The backend's sentence on what the call would do, for a person; empty where it gave none.
  public var humanDescription: String
  /// nil where the event does not say.
  public var requiresApproval: Bool?

  /// Creates a payload whose ``argumentsText`` is the compact JSON of `arguments`.
  public init(
    callID: String, functionName: String, arguments: JSONObject, timeoutSeconds: Int = 30,
    humanDescription: String = "", requiresApproval: Bool? = nil
  ) {
    self.callID = callID
    self.functionName = functionName
    self.arguments = arguments
    argumentsText = JSONValue.object(arguments).jsonText
    self.timeoutSeconds = timeoutSeconds
    self.humanDescription = humanDescription
    self.requiresApproval = requiresApproval
  }

  /// The arguments with every digit that came.
  public var exactArguments: ResolveKitArguments {
    (try? ResolveKitArguments(parsing: argumentsText)) ?? ResolveKitArguments(arguments)
  }

  /// The reason for which the tool cannot be run with the arguments that came; nil where it can.
  package var argumentsFault: JSONError? {
    do {
      _ = try ResolveKitArguments(parsing: argumentsText)
      return nil
    } catch {
      return error
    }
  }

  /// Whether a backend that asks for the other has asked for this: the same function with the same arguments, however the
  /// text between their names and values is laid out.
  func isSame(as other: ResolveKitToolCallRequest) -> Bool {
    guard functionName.hasSameBytes(as: other.functionName) else { return false }
    return argumentsText.hasSameBytes(as: other.argumentsText)
      || exactArguments.jsonText.hasSameBytes(as: other.exactArguments.jsonText)
  }

  /// Reads a call's event; nil where it names no function.
  package init?(_ envelope: ResolveKitEnvelope) {
    guard let text = envelope.argumentsText else {
      self.init(payload: envelope.payload)
      return
    }
    var others = envelope.payload
    others["arguments"] = nil
    self.init(payload: others)
    arguments = (try? ResolveKitArguments(parsing: text))?.object ?? [:]
    argumentsText = text
  }

  /// Reads a payload; nil where it names no function or its arguments are no object.
  package init?(payload: JSONObject) {
    guard let name = payload["function_name"]?.stringValue, !name.isEmpty else { return nil }
    switch payload["arguments"] {
    case nil, .null: arguments = [:]
    case .object(let object): arguments = object
    default: return nil
    }
    argumentsText = JSONValue.object(arguments).jsonText
    callID = payload["call_id"]?.stringValue ?? ""
    functionName = name
    let range = ResolveKitDefinition.timeoutRange
    let seconds = payload["timeout_seconds"].flatMap(TypeResolver.coerceInt) ?? 30
    timeoutSeconds = min(max(seconds, range.lowerBound), range.upperBound)
    humanDescription = payload["human_description"]?.stringValue ?? ""
    requiresApproval = payload["requires_approval"]?.boolValue
  }
}

extension ResolveKitToolCallRequest: Codable {
  private enum CodingKeys: String, CodingKey {
    case arguments
    case argumentsText = "arguments_text"
    case callID = "call_id"
    case functionName = "function_name"
    case timeoutSeconds = "timeout_seconds"
    case humanDescription = "human_description"
    case requiresApproval = "requires_approval"
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      callID: try container.decode(String.self, forKey: .callID),
      functionName: try container.decode(String.self, forKey: .functionName),
      arguments: try container.decode(JSONObject.self, forKey: .arguments),
      timeoutSeconds: try container.decode(Int.self, forKey: .timeoutSeconds),
      humanDescription: try container.decode(String.self, forKey: .humanDescription),
      requiresApproval: try container.decodeIfPresent(Bool.self, forKey: .requiresApproval))
    guard let text = try container.decodeIfPresent(String.self, forKey: .argumentsText) else { return }
    arguments = (try? ResolveKitArguments(parsing: text))?.object ?? [:]
    argumentsText = text
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(callID, forKey: .callID)
    try container.encode(functionName, forKey: .functionName)
    try container.encode(arguments, forKey: .arguments)
    // Not twice where the one says it all.
    if !argumentsText.hasSameBytes(as: JSONValue.object(arguments).jsonText) {
      try container.encode(argumentsText, forKey: .argumentsText)
    }
    try container.encode(timeoutSeconds, forKey: .timeoutSeconds)
    try container.encode(humanDescription, forKey: .humanDescription)
    try container.encodeIfPresent(requiresApproval, forKey: .requiresApproval)
  }
}
