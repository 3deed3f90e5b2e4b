/// A call that waits for a person's decision.
public struct ResolveKitPendingToolCall: Identifiable, Hashable, Sendable {
  public var id: String { callID }
  /// The call's id from `tool_call_request`, unique within its turn.
  public let callID: String
  /// The registered name of the tool.
  public let functionName: String
  /// The arguments with numbers as `Double`, the nearest one where there is none of exactly that value. Decide by
  /// ``exactArguments``, and show ``displayedArguments``.
  public let arguments: JSONObject
  /// The arguments as they came, byte for byte: what a decision is bound to, and what the tool gets.
  public let argumentsText: String
  /// Seconds from the arrival of the call, approval included.
  public let timeoutSeconds: Int
  /// The backend's sentence on what the call would do, for a person; empty where it gave none. It is the model's
  /// claim, not a check of the arguments.
  public let humanDescription: String
  /// Whether the tool asks for a person's approval before each call.
  public let requiresApproval: Bool

  /// Creates a call, as a test of an approval policy does; a runtime makes its own.
  public init(
    callID: String, functionName: String, arguments: JSONObject, timeoutSeconds: Int, humanDescription: String,
    requiresApproval: Bool
  ) {
    self.init(
      callID: callID,
      request: ResolveKitToolCallRequest(
        callID: callID, functionName: functionName, arguments: arguments, timeoutSeconds: timeoutSeconds,
        humanDescription: humanDescription), requiresApproval: requiresApproval)
  }

  init(callID: String, request: ResolveKitToolCallRequest, requiresApproval: Bool) {
    self.callID = callID
    functionName = request.functionName
    arguments = request.arguments
    argumentsText = request.argumentsText
    timeoutSeconds = request.timeoutSeconds
    humanDescription = request.humanDescription
    self.requiresApproval = requiresApproval
  }

  /// The arguments with every digit that came.
  public var exactArguments: ResolveKitArguments {
    (try? ResolveKitArguments(parsing: argumentsText)) ?? ResolveKitArguments(arguments)
  }

  /// The arguments on one line, for a person to read: JSON with every digit, and escapes such as `\u202e` in the place of
  /// characters that could not be seen, would be taken for others, or may steer a terminal.
  public var displayedArguments: String {
    (try? ResolveKitArguments(parsing: argumentsText))?.displayText ?? argumentsText.visibleJSON
  }

  /// Whether who was shown the one was shown the other: the same call, byte for byte.
  func isShown(as other: ResolveKitPendingToolCall) -> Bool {
    callID.hasSameBytes(as: other.callID) && functionName.hasSameBytes(as: other.functionName)
      && argumentsText.hasSameBytes(as: other.argumentsText)
      && humanDescription.hasSameBytes(as: other.humanDescription) && timeoutSeconds == other.timeoutSeconds
      && requiresApproval == other.requiresApproval
  }
}

extension ResolveKitPendingToolCall: Codable {
  private enum CodingKeys: String, CodingKey {
    case callID
    case functionName
    case arguments
    case argumentsText
    case timeoutSeconds
    case humanDescription
    case requiresApproval
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    callID = try container.decode(String.self, forKey: .callID)
    functionName = try container.decode(String.self, forKey: .functionName)
    timeoutSeconds = try container.decode(Int.self, forKey: .timeoutSeconds)
    humanDescription = try container.decode(String.self, forKey: .humanDescription)
    requiresApproval = try container.decode(Bool.self, forKey: .requiresApproval)
    // What an earlier version wrote has no text.
    if let text = try container.decodeIfPresent(String.self, forKey: .argumentsText) {
      argumentsText = text
      arguments = (try? ResolveKitArguments(parsing: text))?.object ?? [:]
    } else {
      arguments = try container.decode(JSONObject.self, forKey: .arguments)
      argumentsText = JSONValue.object(arguments).jsonText
    }
  }
}
