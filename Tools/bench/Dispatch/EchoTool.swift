import ResolveKitCore

/// A tool that does nothing but answer, so that what is measured is everything else.
enum EchoTool: AnyResolveKitFunction {
  static let resolveKitName = "echo"
  static let resolveKitDescription = "Answers its argument."
  static let resolveKitParametersSchema: JSONObject = [
    "type": "object", "properties": ["n": ["type": "integer"]], "required": ["n"],
  ]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    arguments["n"] ?? .null
  }
}
