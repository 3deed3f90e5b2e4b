import ResolveKitCore

/// The same kind of tool, written by hand: its own schema, its own reading of the arguments.
enum LaunchConfetti: AnyResolveKitFunction {
  static let resolveKitName = "launch_confetti"
  static let resolveKitDescription = "Launches bursts of confetti, which the app counts."
  static let resolveKitTimeoutSeconds: Int? = 5
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [
    "type": "object", "properties": ["bursts": ["type": "integer", "minimum": 1, "maximum": 20]],
    "required": ["bursts"],
  ]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    guard let bursts = arguments["bursts"].flatMap(TypeResolver.coerceInt), (1...20).contains(bursts) else {
      throw ResolveKitFunctionError.invalidArguments("Expected bursts: an integer from 1 to 20")
    }
    let state = await Showcase.shared.update { $0.confetti = min($0.confetti + bursts, ShowcaseState.confettiLimit) }
    return ["confetti": .number(Double(state.confetti))]
  }
}

/// The tools of a party; a module of its own could bring them as well.
enum PartyPack: ResolveKitFunctionPack {
  static let packName = "party"
  static let supportedPlatforms: [ResolveKitPlatform] = [.linux, .macos]
  static let functions: [any AnyResolveKitFunction.Type] = [LaunchConfetti.self]
}
