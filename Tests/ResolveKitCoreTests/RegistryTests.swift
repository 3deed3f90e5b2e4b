import Testing

@testable import ResolveKitCore

private struct Echo: AnyResolveKitFunction {
  static let resolveKitName = "echo"
  static let resolveKitDescription = "Gives back what it got."
  static let resolveKitParametersSchema: JSONObject = ["type": "object", "properties": [:], "required": []]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    ["arguments": .object(arguments), "call": context.requestID.map { .string($0) } ?? nil]
  }
}

private struct Adder: AnyResolveKitFunction {
  static let resolveKitName = "add"
  static let resolveKitDescription = "Adds."
  static let resolveKitTimeoutSeconds: Int? = 900
  static let resolveKitRequiresApproval = false
  static let resolveKitParametersSchema: JSONObject = [:]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue {
    throw ResolveKitFunctionError.invalidArguments("Expected a:Int and b:Int")
  }
}

private struct Namesake: AnyResolveKitFunction {
  static let resolveKitName = "echo"
  static let resolveKitDescription = "Has another's name."
  static let resolveKitParametersSchema: JSONObject = [:]

  static func invoke(arguments: JSONObject, context: ResolveKitFunctionContext) async throws -> JSONValue { nil }
}

private enum Pack: ResolveKitFunctionPack {
  static let packName = "numbers"
  static let supportedPlatforms: [ResolveKitPlatform] = [.linux, .macos]
  static let functions: [any AnyResolveKitFunction.Type] = [Adder.self]
}

struct RegistryTests {
  @Test func defaultsAskForApprovalAndSetNoTimeout() {
    #expect(Echo.resolveKitRequiresApproval)
    #expect(Echo.resolveKitTimeoutSeconds == nil)
    #expect(Echo.definition.source == .appInline)
  }

  @Test func dispatchesByName() async throws {
    let registry = ResolveKitRegistry()
    try await registry.register([Echo.self, Adder.self])
    #expect(await registry.definitions.map(\.name) == ["add", "echo"])
    let answer = try await registry.dispatch(
      functionName: "echo", arguments: ["a": 1], context: ResolveKitFunctionContext(sessionID: "s", requestID: "c"))
    #expect(answer == ["arguments": ["a": 1], "call": "c"])
    await #expect(throws: ResolveKitFunctionError.unknownFunction("nothing")) {
      try await registry.dispatch(functionName: "nothing", arguments: [:], context: ResolveKitFunctionContext())
    }
    await #expect(throws: ResolveKitFunctionError.invalidArguments("Expected a:Int and b:Int")) {
      try await registry.dispatch(functionName: "add", arguments: [:], context: ResolveKitFunctionContext())
    }
  }

  @Test func aNameIsTakenOnce() async throws {
    let registry = ResolveKitRegistry()
    try await registry.register(Echo.self)
    let error = await #expect(throws: ResolveKitFunctionError.self) {
      try await registry.register([Adder.self, Namesake.self])
    }
    // The name, and where both come from.
    let sentence = error?.description ?? ""
    #expect(sentence.hasPrefix("Duplicate function name: echo (ResolveKitCoreTests."))
    #expect(sentence.contains("Echo and ResolveKitCoreTests.") && sentence.contains("Namesake)"), "\(sentence)")
    #expect(await registry.resolve("add") == nil)
    await registry.reset()
    #expect(await registry.definitions.isEmpty)
  }

  @Test func aPackRegistersOnItsPlatformsOnly() {
    #expect(Pack.definitions(on: .ios).isEmpty)
    let definition = Pack.definitions(on: .linux).first
    #expect(definition?.source == .playbookPack)
    #expect(definition?.packName == "numbers")
    #expect(definition?.availability?.platforms == [.linux, .macos])
  }

  @Test func registrationOmitsWhatIsAbsentAndClampsTheTimeout() throws {
    let echo = String(decoding: try ResolveKitJSON.encode(Echo.definition), as: UTF8.self)
    #expect(!echo.contains("null") && !echo.contains("timeout_seconds") && !echo.contains("availability"))
    #expect(echo.contains(#""requires_approval":true"#) && echo.contains(#""source":"app_inline""#))
    let adder = String(decoding: try ResolveKitJSON.encode(Adder.definition), as: UTF8.self)
    #expect(adder.contains(#""timeout_seconds":300"#) && adder.contains(#""requires_approval":false"#))
    #expect(try ResolveKitJSON.decode(ResolveKitDefinition.self, from: Array(echo.utf8)) == Echo.definition)
  }
}
