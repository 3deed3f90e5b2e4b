import ResolveKitCore

/// Waits, so that an agent can look at something again later; harmless, so it asks for no approval.
enum Wait: AnyResolveKitFunction {
  static let resolveKitName = "wait"
  static let resolveKitDescription = "Waits on the user's machine for a number of seconds, 240 at most, then returns."
  static let resolveKitTimeoutSeconds: Int? = 300
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [
    "type": .string("object"),
    "properties": .object([
      "seconds": .object(["type": .string("number"), "minimum": .number(0), "maximum": .number(240)])
    ]),
    "required": .array([.string("seconds")]),
  ]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    guard case .number(let seconds)? = arguments["seconds"], (0...240).contains(seconds) else {
      throw ResolveKitFunctionError.invalidArguments("'seconds' must be a number from 0 to 240")
    }
    try await Task.sleep(for: .seconds(seconds))
    return .string("\(seconds) seconds have passed.")
  }
}
