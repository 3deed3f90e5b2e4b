/// A tool that the agent may call: everything is static, because the registry holds types, not instances.
public protocol AnyResolveKitFunction: Sendable {
  /// Identifier sent to the model, in snake_case, 1 to 255 characters.
  static var resolveKitName: String { get }
  /// Plain sentence by which the model decides when to call; at most 1 000 characters.
  static var resolveKitDescription: String { get }
  /// JSON Schema of the arguments.
  static var resolveKitParametersSchema: JSONObject { get }
  /// Seconds until the call counts as failed, approval included; nil leaves it to the backend.
  static var resolveKitTimeoutSeconds: Int? { get }
  /// Whether a person must agree before each call. True unless the tool says otherwise.
  static var resolveKitRequiresApproval: Bool { get }
  /// Whether running the tool twice with the same arguments does no more than running it once. Only then is a call run
  /// again that was cut off by the end of the program; false unless the tool says otherwise.
  static var resolveKitIsIdempotent: Bool { get }
  /// Calls of all tools with the same key never overlap and start in the order in which they arrived. Nil, unless the
  /// tool says otherwise: it may run beside any other.
  static var resolveKitSerialKey: String? { get }

  /// Runs the tool.
  /// - Throws: anything; `ResolveKitFunctionError.invalidArguments` where the arguments are at fault.
  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue

  /// Runs the tool with the arguments as the model wrote them, numbers with all their digits. This is what a runtime
  /// calls; a tool without an implementation of its own gets the same arguments as `JSONObject`, and is not run where that
  /// has no room for a number's digits: a person would have agreed to another number.
  /// - Throws: As `invoke(arguments:context:)`.
  static func invoke(
    exactly arguments: ResolveKitArguments, context: ResolveKitFunctionContext
  ) async throws
    -> JSONValue
}

extension AnyResolveKitFunction {
  public static var resolveKitTimeoutSeconds: Int? { nil }
  public static var resolveKitRequiresApproval: Bool { true }
  public static var resolveKitIsIdempotent: Bool { false }
  public static var resolveKitSerialKey: String? { nil }

  public static func invoke(
    exactly arguments: ResolveKitArguments, context: ResolveKitFunctionContext
  ) async throws -> JSONValue {
    try await invoke(arguments: arguments.exactObject(), context: context)
  }

  /// The definition that is registered at the backend for this tool.
  public static var definition: ResolveKitDefinition {
    ResolveKitDefinition(
      name: resolveKitName,
      description: resolveKitDescription,
      parametersSchema: resolveKitParametersSchema,
      timeoutSeconds: resolveKitTimeoutSeconds,
      requiresApproval: resolveKitRequiresApproval)
  }
}
