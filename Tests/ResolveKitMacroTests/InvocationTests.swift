import Foundation
import ResolveKitAuthoring
import Testing

/// Tools that the macro made, run as a runtime runs them.
struct InvocationTests {
  private func run(_ tool: any AnyResolveKitFunction.Type, _ arguments: String) async throws -> JSONValue {
    try await tool.invoke(
      exactly: ResolveKitArguments(parsing: arguments),
      context: ResolveKitFunctionContext(sessionID: "s", requestID: "call"))
  }

  @Test func membersAreWhatTheAttributeSays() {
    #expect(SendMessage.resolveKitName == "send_message")
    #expect(SendMessage.resolveKitDescription == "Send a text to a contact")
    #expect(SendMessage.resolveKitTimeoutSeconds == 15)
    #expect(SendMessage.resolveKitRequiresApproval)
    #expect(Numbers.resolveKitTimeoutSeconds == nil)
    #expect(!Numbers.resolveKitRequiresApproval)
  }

  @Test func schemaIsTheDocumentedOne() {
    #expect(
      SendMessage.resolveKitParametersSchema == [
        "type": .string("object"),
        "properties": .object([
          "contactName": .object(["type": .string("string")]),
          "messageText": .object(["type": .string("string")]),
          "urgent": .object(["type": .string("boolean")]),
        ]),
        "required": .array([.string("contactName"), .string("messageText"), .string("urgent")]),
      ])
    #expect(Forget.resolveKitParametersSchema == ["type": "object", "properties": [:], "required": []])
  }

  @Test func documentationAndDefaultsReachTheSchema() {
    let search = Search.resolveKitParametersSchema
    #expect(search["required"] == [])
    let properties = JSONValue.object(search)["properties"]
    #expect(properties["limit"]["description"] == "How many at most.")
    #expect(properties["limit"]["default"] == 10)
    #expect(properties["factor"] == ["type": "number", "default": -1.5])
    #expect(properties["exact"] == ["type": "boolean", "default": true])
    #expect(properties["text"] == ["type": "string"])
    #expect(properties["priority"] == ["type": "string", "enum": ["low", "normal", "high"]])
    #expect(properties["tags"] == ["type": "array", "items": ["type": "string"]])
    #expect(properties["weights"] == ["type": "object", "additionalProperties": ["type": "number"]])
    let order = JSONValue.object(PlaceOrder.resolveKitParametersSchema)["properties"]["order"]
    #expect(order["description"] == "What is ordered, and where it goes.")
    #expect(order["required"] == ["id", "items", "priority", "ratio"])
    #expect(order["properties"]["items"]["additionalProperties"]["items"]["required"] == ["street"])
  }

  @Test func argumentsAreCoercedByTheTable() async throws {
    #expect(try await run(SendMessage.self, #"{"contactName":"Ann","messageText":"hi","urgent":"YES"}"#) == true)
    let lossy: JSONObject = ["contactName": "Ann", "messageText": "hi", "urgent": 1]
    #expect(try await SendMessage.invoke(arguments: lossy, context: ResolveKitFunctionContext()) == true)
    #expect(
      try await run(EchoInteger.self, #"{"value":3.0,"text":42,"list":["7",true]}"#) == [
        "value": 3, "list": 2, "text": 42,
      ])
  }

  @Test func bigIntegersKeepTheirDigits() async throws {
    let answer = try await run(EchoInteger.self, #"{"value":9007199254740993,"text":9223372036854775807,"list":[]}"#)
    #expect(answer["value"] == "9007199254740993")
    #expect(answer["text"] == "9223372036854775807")
    let numbers = try await run(
      Numbers.self,
      """
      {"int":-9223372036854775808,"int8":-128,"int16":32767,"int32":-2147483648,"int64":9223372036854775807,
      "uint":18446744073709551615,"uint8":255,"uint16":65535,"uint32":4294967295,"uint64":18446744073709551615,
      "float":0.5,"double":1e300,"graphic":2.5}
      """)
    #expect(
      numbers == [
        "-9223372036854775808", "-128", "32767", "-2147483648", "9223372036854775807", "18446744073709551615", "255",
        "65535", "4294967295", "18446744073709551615", "0.5", "1e+300", "2.5",
      ])
  }

  @Test(
    arguments: [
      (#"{"text":"","list":[]}"#, "'value' is missing: expected an integer"),
      (#"{"value":1e300,"text":"","list":[]}"#, "got the number 1e300"),
      (#"{"value":9223372036854775808,"text":"","list":[]}"#, "'value': expected an integer"),
      (#"{"value":null,"text":"","list":[]}"#, "got null"),
      (#"{"value":1,"text":{},"list":[]}"#, "'text': expected a string, got an object."),
      (#"{"value":1,"text":"","list":[1,-1]}"#, "'list.1': expected an integer from 0"),
      (#"{"value":"many","text":"","list":[]}"#, #"got the string "many""#),
    ])
  func wrongArgumentsAreDistinguished(arguments: String, message: String) async throws {
    let error = await #expect(throws: ResolveKitFunctionError.self) { try await run(EchoInteger.self, arguments) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test func notANumberIsAnErrorAndNoTrap() async {
    for number in [Double.nan, .infinity, -.infinity, 1e300] {
      let arguments: JSONObject = ["value": .number(number), "text": "", "list": []]
      await #expect(throws: ResolveKitFunctionError.self) {
        try await EchoInteger.invoke(arguments: arguments, context: ResolveKitFunctionContext())
      }
    }
  }

  @Test func nestedTypesAreReadByTheirOwnDecodable() async throws {
    let order =
      #"{"id":18446744073709551615,"items":{"a":[{"street":"Main","zip":1},{"street":"Side"}]},"priority":"high","ratio":1}"#
    let rest =
      #""levels":[1,3],"grid":[[1,-128],[]],"byPriority":{"low":1},"maybe":[1,null],"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF""#
    let answer = try await run(PlaceOrder.self, #"{"order":\#(order),\#(rest)}"#)
    #expect(answer["id"] == "18446744073709551615")
    #expect(answer["items"]["a"] == [["street": "Main", "zip": 1], ["street": "Side"]])
    let error = await #expect(throws: ResolveKitFunctionError.self) {
      try await run(PlaceOrder.self, #"{"order":\#(order.replacing("high", with: "urgent")),\#(rest)}"#)
    }
    #expect(
      error
        == .invalidArguments(#"'order.priority': expected one of "low", "normal", "high", got the string "urgent"."#))
    let missing = await #expect(throws: ResolveKitFunctionError.self) {
      try await run(PlaceOrder.self, #"{"order":{"id":1},\#(rest)}"#)
    }
    #expect(missing == .invalidArguments("'order.items' is missing: expected an object."))
  }

  @Test func absentAndNullGiveTheDefault() async throws {
    let usual: JSONValue = "- 10 high 7 [] -1 true -1.5"
    #expect(try await run(Search.self, "{}") == usual)
    #expect(
      try await run(Search.self, #"{"text":null,"limit":null,"priority":null,"tags":null,"weights":null}"#) == usual)
    #expect(
      try await run(
        Search.self,
        #"{"text":"a","limit":3,"priority":"low","other":0,"tags":["x"],"weights":{"y":"2"},"exact":0,"factor":2}"#)
        == #"a 3 low 0 ["x"] 1 false 2.0"#)
    await #expect(throws: ResolveKitFunctionError.self) { try await run(Search.self, #"{"limit":"ten"}"#) }
  }

  @Test func labelsAndTheContextArePassed() async throws {
    #expect(try await run(Lights.self, #"{"room":"hall","in":"A","for":2}"#) == "hall A 2 call")
    #expect(Lights.resolveKitParametersSchema["required"] == ["room", "in", "for"])
  }

  @Test func nothingReturnedIsNull() async throws {
    #expect(try await run(Forget.self, "{}") == .null)
    #expect(try await run(OnMain.self, #"{"value":1}"#) == 2)
  }

  @Test func jsonAndRecursiveTypesPass() async throws {
    let tree = #"{"name":"a","children":[{"name":"b","children":[]}]}"#
    let answer = try await run(Plant.self, #"{"tree":\#(tree),"raw":null}"#)
    #expect(answer == ["names": ["a", "b"], "raw": nil])
  }

  @Test func aToolsOwnErrorIsItsOwn() async {
    await #expect(throws: Broken.DiskFull.self) { try await run(Broken.self, #"{"path":"/"}"#) }
  }
}

extension JSONValue {
  /// The member of that name; null where there is none.
  subscript(name: String) -> JSONValue {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }
}
