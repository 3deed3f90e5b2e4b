import Foundation
import ResolveKitAuthoring
import Testing

struct UnusualToolTests {
  private func run(_ tool: any AnyResolveKitFunction.Type, _ arguments: String) async throws -> JSONValue {
    try await tool.invoke(exactly: ResolveKitArguments(parsing: arguments), context: ResolveKitFunctionContext())
  }

  @Test func anyPlaceWillDo() async throws {
    #expect(try await run(Namespace.InAnEnum.self, #"{"place":{"x":3}}"#) == ["x": 3])
    #expect(try await run(Keeper.InAnActor.self, #"{"value":3}"#) == 3)
    #expect(try await run(Open.InAPublicExtension.self, #"{"priority":"low"}"#) == "low")
    #expect(try await run(WithAHiddenType.self, #"{"kind":"b"}"#) == "b")
    #expect(try await run(WithItsOwnType.self, #"{"kind":"a"}"#) == ["a", "b"])
  }

  @Test func anyNameWillDo() async throws {
    let call = #"{"default":1,"self":2,"init":3,"in":4,"two words":5,"größe":7,"_":8}"#
    #expect(try await run(OddNames.self, call) == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(
      OddNames.resolveKitParametersSchema["required"]
        == ["default", "self", "init", "in", "two words", "größe", "_"])
  }

  @Test func aDefaultMeansWhatItMeansAtTheMethod() async throws {
    #expect(try await run(DefaultsByName.self, "{}") == [1, 2, 3, 4, 10])
    #expect(try await run(MainActorsDefaults.self, "{}") == ["lines": ["3"]])
    #expect(try await run(MethodOnMain.self, "{}") == 42)
  }

  @Test func theMethodOfThisBuildCounts() async throws {
    #expect(try await run(Conditional.self, #"{"onLinux":true}"#) == true)
    #expect(Conditional.resolveKitParametersSchema["required"] == ["onLinux"])
  }

  @Test func aResultMayBeAnything() async throws {
    #expect(try await run(AnyResult.self, #"{"number":true}"#) == 1)
    #expect(try await run(AnyResult.self, #"{"number":false}"#) == "one")
  }

  @Test func optionalsAreOptionalHoweverSpelt() async throws {
    #expect(Maybe.resolveKitParametersSchema["required"] == ["d"])
    #expect(try await run(Maybe.self, #"{"d":[null,1]}"#) == [nil, nil, nil, nil, nil, nil, 7, nil, 1])
    #expect(
      try await run(Maybe.self, #"{"a":1,"b":2,"c":3,"d":[],"e":4,"f":5,"g":6,"h":null}"#) == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test func textsAreKeptAsTheyAre() async throws {
    #expect(RawText.resolveKitName == "raw_text")
    #expect(RawText.resolveKitDescription == "Says \"\\n\" \\ \\(nothing) é 🐶\n  and more.")
    let properties = JSONValue.object(RawText.resolveKitParametersSchema)["properties"]
    #expect(properties["text"]["description"] == #"A "quoted" \(text), on two lines."#)
    #expect(properties["text"]["default"] == #"\n"#)
    #expect(properties["other"]["description"] == "Told of between attribute and method.")
    #expect(try await run(RawText.self, "{}") == .string(#"\n"# + "é\""))
  }
}
