import Foundation
import ResolveKitAuthoring
import Testing

/// The documentation's tools, called as the model's words call them, through the registry.
struct SampleRegistryTests {
  private static func call(_ name: String, _ arguments: JSONObject = [:]) async throws -> JSONValue {
    let registry = ResolveKitRegistry()
    try await registry.register([
      GetLocalTime.self, SendMessage.self, SetLights.self, ReturnString.self, ReturnBool.self, ReturnInt.self,
      ReturnStruct.self, ReturnStrings.self, ReturnVoid.self,
    ])
    return try await registry.dispatch(
      functionName: name, arguments: arguments, context: ResolveKitFunctionContext(sessionID: "s", requestID: "c"))
  }

  @Test func theLocalTimeIsNow() async throws {
    let text = try #require(try await Self.call("get_local_time").stringValue)
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    let date = try #require(formatter.date(from: text))
    #expect(abs(date.timeIntervalSinceNow) < 60)
  }

  @Test func aMacrosToolReadsItsArgumentsLeniently() async throws {
    let spoken: JSONObject = ["contactName": "Ona", "messageText": 7, "urgent": "yes"]
    #expect(try await Self.call("send_message", spoken) == true)
    await #expect(throws: (any Error).self) { try await Self.call("send_message", ["contactName": "Ona"]) }
  }

  @Test func aHandWrittenToolReadsThemByTheResolver() async throws {
    #expect(try await Self.call("set_lights", ["room": "kitchen", "on": 1]) == "Set kitchen lights to 100%")
    #expect(try await Self.call("set_lights", ["room": 12, "on": "no"]) == "Set 12 lights to 0%")
    await #expect(throws: ResolveKitFunctionError.invalidArguments("Expected room:String and on:Bool")) {
      try await Self.call("set_lights", ["room": "kitchen"])
    }
  }

  @Test func everyDocumentedResultIsSent() async throws {
    #expect(try await Self.call("return_string") == "text")
    #expect(try await Self.call("return_bool") == true)
    #expect(try await Self.call("return_int") == 42)
    #expect(try await Self.call("return_struct") == ["city": "Vilnius", "degrees": 21.5])
    #expect(try await Self.call("return_strings") == ["a", "b"])
    #expect(try await Self.call("return_void") == nil)
  }

  @Test func theMacroMakesWhatTheDocumentationShows() {
    #expect(SendMessage.resolveKitName == "send_message")
    #expect(SendMessage.resolveKitDescription == "Send a text to a contact")
    #expect(SendMessage.resolveKitTimeoutSeconds == 15)
    #expect(SendMessage.resolveKitRequiresApproval)
    #expect(!GetLocalTime.resolveKitRequiresApproval && GetLocalTime.resolveKitTimeoutSeconds == 10)
    let schema = SendMessage.resolveKitParametersSchema
    #expect(schema["type"] == "object")
    #expect(schema["required"] == ["contactName", "messageText", "urgent"])
    let types = schema["properties"]?.objectValue?.mapValues { $0.objectValue?["type"] }
    #expect(types == ["contactName": "string", "messageText": "string", "urgent": "boolean"])
  }
}
