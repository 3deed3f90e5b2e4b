import ResolveKitCore
import Testing

@testable import CodexRemoteClient

@Suite struct RemoteFormTests {
  private static let schema: JSONValue = [
    "type": "object", "required": ["sides", "colour"],
    "properties": [
      "colour": [
        "type": "string", "oneOf": [["const": "#f00", "title": "Red"], ["const": "#0f0", "title": "Green"]],
      ],
      "size": ["type": "string", "enum": ["s", "m"], "enumNames": ["Small"], "default": "m"],
      "sides": ["type": "array", "items": ["anyOf": [["const": "top"], ["const": "front"]]], "minItems": 1],
      "coats": ["type": "integer", "minimum": 1, "maximum": 3, "default": 9],
      "weight": ["type": "number"], "glossy": ["type": "boolean", "default": false],
      "mail": ["type": "string", "format": "email", "maxLength": 8],
    ],
  ]

  private func field(_ name: String) throws -> RemoteForm.Field {
    try #require(try RemoteForm(schema: Self.schema).fields.first { $0.name == name })
  }

  @Test func requiredFieldsComeFirstInTheServersOrder() throws {
    let form = try RemoteForm(schema: Self.schema)
    #expect(form.fields.map(\.name) == ["sides", "colour", "coats", "glossy", "mail", "size", "weight"])
    #expect(form.fields.map(\.isRequired) == [true, true, false, false, false, false, false])
    #expect(try field("size").kind == .choice([.init(value: "s", title: "Small"), .init(value: "m", title: "m")]))
    #expect(try field("size").preset == "m")
    #expect(try field("glossy").preset == false)
    // What the server proposes is no answer that it takes.
    #expect(try field("coats").preset.map(\.visibleText) == nil)
    #expect(try RemoteForm(schema: nil).fields.isEmpty)
    #expect(try RemoteForm(schema: ["properties": [:]]).fields.isEmpty)
  }

  @Test func whatIsTypedIsReadByTheFieldsKind() throws {
    let cases: [(String, String, JSONValue?)] = [
      ("colour", "1", "#f00"), ("colour", " Green ", "#0f0"), ("colour", "#f00", "#f00"), ("colour", "3", nil),
      ("colour", "0", nil), ("colour", "-9223372036854775808", nil), ("colour", "", nil),
      ("sides", "2,1", ["front", "top"]), ("sides", "top, front", ["top", "front"]), ("sides", "1,1", nil),
      ("sides", ",", nil), ("sides", "", nil),
      ("coats", "2", 2), ("coats", "2.5", nil), ("coats", "4", nil), ("coats", "two", nil), ("coats", "nan", nil),
      ("weight", "0.5", 0.5), ("weight", "inf", nil), ("weight", "1e400", nil),
      ("glossy", "Y", true), ("glossy", "no", false), ("glossy", "perhaps", nil),
      ("mail", "a@b", "a@b"), ("mail", "a@b@c", nil), ("mail", "a@", nil), ("mail", "abcdef@gh", nil),
    ]
    for (name, typed, expected) in cases {
      #expect((try? field(name).answer(typed: typed)) == expected, "\(name): \(typed)")
    }
  }

  @Test func aContentIsCheckedAsAWhole() throws {
    let form = try RemoteForm(schema: Self.schema)
    let good: JSONObject = ["colour": "#f00", "sides": ["top"]]
    #expect(try form.content(good) == good)
    let bad: [JSONObject] = [
      [:], ["colour": "#f00"], ["colour": "red", "sides": ["top"]], good.merging(["other": 1]) { $1 },
      good.merging(["coats": "2"]) { $1 }, good.merging(["glossy": 1]) { $1 }, good.merging(["sides": "top"]) { $1 },
      good.merging(["sides": ["top", "top"]]) { $1 }, good.merging(["weight": nil]) { $1 },
    ]
    for content in bad { #expect(throws: RemoteError.self, "\(content)") { try form.content(content) } }
  }

  @Test func formatsAreThoseOfTheirSpecifications() {
    let cases: [(String?, String, Bool)] = [
      ("uri", "https://a", true), ("uri", "a b:c", false), ("uri", "://x", false), ("uri", "1a:b", false),
      ("uri", "mailto:", false), ("date", "2026-02-28", true), ("date", "2026-13-01", false), ("date", "26-1-1", false),
      ("date-time", "2026-02-28T10:00:00Z", true), ("date-time", "2026-02-28t10:00:60.5+02:00", true),
      ("date-time", "2026-02-28T24:00:00Z", false), ("date-time", "2026-02-28 10:00:00Z", false),
      ("date-time", "2026-02-28T10:00:00", false), ("date-time", "2026-02-28T10:00:00.Z", false),
      ("date-time", "2026-02-28T10:00:00+2:00", false), ("email", "a b@c", false), ("hostname", "any", true),
      (nil, "", true),
    ]
    for (format, text, isMet) in cases {
      #expect(RemoteFormFormat.isMatched(format, by: text) == isMet, "\(format ?? "none"): \(text)")
    }
  }

  @Test func aFormOfAnotherShapeIsNotHalfShown() {
    let many = Dictionary(uniqueKeysWithValues: (0..<51).map { ("f\($0)", ["type": "string"] as JSONValue) })
    let properties: [JSONValue] = [
      ["a": nil], ["a": 1], ["a": ["type": "object"]], ["a": ["type": "array"]],
      ["a": ["type": "array", "items": ["type": "string"]]],
      ["a": ["type": "string", "enum": []]], ["a": ["type": "string", "enum": [1, 2]]], ["a": ["enum": "x"]],
      ["a": [:]],
      ["a": ["type": "string", "oneOf": [["const": 1]]]], ["a": ["type": ["string", "null"]]], .object(many),
    ]
    for properties in properties {
      #expect(throws: RemoteError.self, "\(properties)") { try RemoteForm(schema: ["properties": properties]) }
    }
    #expect(throws: RemoteError.self) { try RemoteForm(schema: ["required": ["gone"]]) }
    // Numbers that are none of a length or count limit nothing, and trap nowhere.
    let odd: JSONValue = [
      "properties": [
        "a": ["type": "string", "minLength": 1e300, "maxLength": -1], "b": ["type": "integer", "minimum": "x"],
      ]
    ]
    #expect(throws: Never.self) { try RemoteForm(schema: odd) }
  }

  @Test func howAQuestionIsAnsweredDependsOnItsForm() throws {
    func answering(_ form: String, _ details: JSONObject) throws -> RemoteAnswering {
      try #require(
        RemoteApproval(json: ["id": "a", "summary": "s", "form": .string(form), "details": .object(details)])
      )
      .answering
    }
    #expect(try answering("command", ["requestedSchema": Self.schema]) == .yes)
    #expect(try answering("elicitation", ["mode": "url", "url": "https://a"]) == .yes)
    #expect(
      try answering("elicitation", ["requestedSchema": Self.schema]) == .form(try RemoteForm(schema: Self.schema)))
    #expect(try !answering("elicitation", ["mode": "openai/form"]).isPossible)
    #expect(try !answering("elicitation", ["requestedSchema": ["required": ["gone"]]]).isPossible)
  }

  @Test func theMachineSendsAWholeFormAlone() throws {
    var machine = RemoteChatMachine()
    func ask(_ id: String, _ details: JSONObject, cancel: Bool) throws {
      let payload: JSONObject = [
        "id": .string(id), "summary": "s", "form": "elicitation", "supportsCancel": .bool(cancel),
        "details": .object(details),
      ]
      _ = machine.received(try RemoteEvent(frame: Frames.frame("approval_required", .object(payload))), id: nil)
    }
    func isRefused(_ effects: [RemoteChatMachine.Effect]) -> Bool {
      if case .report(.decisionRefused)? = effects.first { true } else { false }
    }
    try ask("form", ["requestedSchema": Self.schema], cancel: true)
    #expect(isRefused(machine.decide("form", .approve)))
    #expect(isRefused(machine.decide("form", .approve, content: ["colour": "red", "sides": ["top"]])))
    let content: JSONObject = ["colour": "#f00", "sides": ["top"]]
    #expect(machine.decide("form", .approve, content: content) == [.decide(id: "form", .approve, content: content)])
    try ask("other", ["mode": "x"], cancel: false)
    #expect(isRefused(machine.decide("other", .approve)))
    #expect(isRefused(machine.decide("other", .cancel)))
    #expect(machine.decide("other", .decline) == [.decide(id: "other", .decline, content: nil)])
  }
}
