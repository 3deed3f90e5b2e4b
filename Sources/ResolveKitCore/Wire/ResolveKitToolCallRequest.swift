/// Payload of `tool_call_request`.
public struct ResolveKitToolCallRequest: Hashable, Sendable, Codable {
  public var callID: String
  public var functionName: String
  public var arguments: JSONObject {
    didSet { argumentsText = nil }
  }
  /// The arguments' own text, where a number in it has digits that `arguments` can't hold.
  private var argumentsText: String?
  /// Seconds, within 1 to 300; 30 where the event names none.
  public var timeoutSeconds: Int
  public var humanDescription: String
  /// nil where the event does not say.
  public var requiresApproval: Bool?

  public init(
    callID: String, functionName: String, arguments: JSONObject, timeoutSeconds: Int = 30,
    humanDescription: String = "", requiresApproval: Bool? = nil
  ) {
    self.callID = callID
    self.functionName = functionName
    self.arguments = arguments
    self.timeoutSeconds = timeoutSeconds
    self.humanDescription = humanDescription
    self.requiresApproval = requiresApproval
  }

  private enum CodingKeys: String, CodingKey {
    case arguments
    case argumentsText = "arguments_text"
    case callID = "call_id"
    case functionName = "function_name"
    case timeoutSeconds = "timeout_seconds"
    case humanDescription = "human_description"
    case requiresApproval = "requires_approval"
  }

  /// The arguments with every digit that came.
  public var exactArguments: ResolveKitArguments {
    if let argumentsText, let exact = try? ResolveKitArguments(parsing: argumentsText) { return exact }
    return ResolveKitArguments(arguments)
  }

  /// Reads a call's event; nil where it names no function or its arguments are no object.
  package init?(_ envelope: ResolveKitEnvelope) {
    self.init(payload: envelope.payload)
    argumentsText = envelope.argumentsText
  }

  /// Reads a payload; nil where it names no function or its arguments are no object.
  package init?(payload: JSONObject) {
    guard let name = payload["function_name"]?.stringValue, !name.isEmpty else { return nil }
    switch payload["arguments"] {
    case nil, .null: arguments = [:]
    case .object(let object): arguments = object
    default: return nil
    }
    callID = payload["call_id"]?.stringValue ?? ""
    functionName = name
    let range = ResolveKitDefinition.timeoutRange
    let seconds = payload["timeout_seconds"].flatMap(TypeResolver.coerceInt) ?? 30
    timeoutSeconds = min(max(seconds, range.lowerBound), range.upperBound)
    humanDescription = payload["human_description"]?.stringValue ?? ""
    requiresApproval = payload["requires_approval"]?.boolValue
  }
}
