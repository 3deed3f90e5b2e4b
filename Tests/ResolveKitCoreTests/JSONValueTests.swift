import TestSupport
import Testing

@testable import ResolveKitCore

struct JSONValueTests {
  @Test(
    arguments: [
      ("null", JSONValue.null), (" true ", true), ("false", false), ("0", 0), ("-0.5e1", -5), ("1E+2", 100),
      ("\"\"", ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"), (#""h\u00e9llo \ud83d\ude00""#, "héllo 😀"),
      (#""\ud800""#, "\u{FFFD}"), (#""\ud800\u0041""#, "\u{FFFD}A"), (#""\udc00x""#, "\u{FFFD}x"),
      ("[]", []), ("[1, [2], {}]", [1, [2], [:]]), (#"{"a":1,"b":{"c":[null]}}"#, ["a": 1, "b": ["c": [nil]]]),
      (#"{"a":1,"a":2}"#, ["a": 2]), ("\u{FEFF}1", 1), ("\"é\"", "é"), ("9007199254740993", .number(9007199254740992)),
    ] as [(String, JSONValue)])
  func parses(text: String, value: JSONValue) throws {
    #expect(try JSONValue(parsing: text) == value)
  }

  @Test(arguments: [
    "", " ", "nul", "tru", "truex", "01", "-", "1.", ".5", "1e", "+1", "NaN", "Infinity", "'a'", "\"a", "\"\\x\"",
    "\"\\u12\"", "\"\n\"", "[1,]", "[1 2]", "[", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "1 2", "]", "/**/1",
    "\"\\ud83d\\u00\"",
  ])
  func refusesWithAnOffset(text: String) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.code == .syntax)
    #expect(error?.offset != nil)
  }

  @Test func numbersBeyondADoubleAreRefused() {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "1e400") }
    #expect(error?.code == .numberOutOfRange)
  }

  @Test func nestingIsLimited() throws {
    let deepest = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    #expect(try !JSONValue(parsing: deepest).isNestedDeeper(than: 128))
    for open in ["[", "{\"a\":"] {
      let error = #expect(throws: JSONError.self) {
        try JSONValue(parsing: String(repeating: open, count: 100_000))
      }
      #expect(error?.code == .tooDeep)
      let wire = #expect(throws: JSONError.self) {
        try ResolveKitJSON.decode(ResolveKitSession.self, from: Array(String(repeating: open, count: 100_000).utf8))
      }
      #expect(wire?.code == .tooDeep)
    }
  }

  @Test(
    arguments: [
      (JSONValue.null, "null"), (3, "3"), (-0.5, "-0.5"), (.number(.nan), "null"), (.number(.infinity), "null"),
      (.number(-0.0), "-0.0"), (1e300, "1e+300"), ("a\"\\\n\u{1}é/", #""a\"\\\n\u0001é/""#),
      (["b": 1, "a": [true, nil]], #"{"a":[true,null],"b":1}"#), (.object([:]), "{}"), (.array([]), "[]"),
    ] as [(JSONValue, String)])
  func serialises(value: JSONValue, text: String) {
    #expect(value.jsonText == text)
  }

  @Test func aValueNestedInCodeIsWritten() {
    var value = JSONValue.null
    for _ in 0..<2000 { value = [value] }
    #expect(value.serialized().count == 4004)
    #expect(value.isNestedDeeper(than: 1999))
    #expect(!value.isNestedDeeper(than: 2000))
  }

  @Test func codableAgreesWithTheParser() throws {
    let text = #"{"a":[1,2.5,-3,true,null,"x"],"b":{"c":"é"}}"#
    let parsed = try JSONValue(parsing: text)
    #expect(try ResolveKitJSON.decode([JSONValue].self, from: Array("[\(text)]".utf8)) == [parsed])
    #expect(String(decoding: try ResolveKitJSON.encode(["v": parsed]), as: UTF8.self) == #"{"v":\#(text)}"#)
    let numbers: [JSONValue] = [.number(.nan), 3]
    #expect(String(decoding: try ResolveKitJSON.encode(numbers), as: UTF8.self) == "[null,3]")
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func randomBytesNeverTrap(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet = Array(#"{}[]:,"\/ubfnrt0123456789eE+-.aé"#.utf8) + [0, 0xFF, 0xEF, 0xBB, 0xBF, 0xD8, 0x0A]
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        alphabet.randomElement(using: &random) ?? 0
      }
      if let value = try? JSONValue(parsing: bytes) {
        #expect((try? JSONValue(parsing: value.serialized())) == value, "seed \(seed)")
      }
      _ = try? ResolveKitJSON.decode(ResolveKitEnvelope.self, from: bytes)
      _ = RequestFailure(status: 422, body: bytes)
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func damagedEventsNeverTrap(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let original = Array(
      #"{"event_id":"2","turn_id":"t","request_id":"r","type":"tool_call_request","payload":{"call_id":"c","function_name":"f","arguments":{"n":1e300},"timeout_seconds":1e99}}"#
        .utf8)
    for _ in 0..<300 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let envelope = try? ResolveKitEnvelope(JSONValue(parsing: bytes)) {
        _ = ResolveKitToolCallRequest(payload: envelope.payload)
      }
    }
    let whole = try? ResolveKitEnvelope(JSONValue(parsing: original))
    #expect(ResolveKitToolCallRequest(payload: whole?.payload ?? [:])?.timeoutSeconds == 30)
  }
}
