import ResolveKitCore

/// Makes a struct with one method `perform(…) async throws` a tool that a model may call.
///
/// Generated are the static members of `AnyResolveKitFunction`, the JSON Schema of the method's parameters, and the
/// reading of a call's arguments. A parameter's description is taken from the method's documentation comment
/// (`- Parameter x:` or `- Parameters:`). An optional parameter and one with a default value need not be given.
///
/// - Parameters:
///   - name: What the model calls the tool: 1 to 128 letters, digits, `_`, `-` and `.` (MCP SEP-986); write snake_case.
///   - description: By which the model decides when to call; a string literal of at most 1 000 characters.
///   - timeout: Seconds until the call counts as failed, 1 to 300; nil leaves it to the backend.
///   - requiresApproval: Whether a person must agree before each call.
@attached(
  member, names: named(resolveKitName), named(resolveKitDescription), named(resolveKitTimeoutSeconds),
  named(resolveKitRequiresApproval), named(Input), named(resolveKitParametersSchema), named(invoke),
  named(resolveKitPerform))
@attached(extension, conformances: AnyResolveKitFunction, ResolveKitFunction)
public macro ResolveKit(name: String, description: String, timeout: Int? = nil, requiresApproval: Bool = true) =
  #externalMacro(module: "ResolveKitMacros", type: "ResolveKitMacro")
