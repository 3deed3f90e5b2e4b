import TestSupport
import Testing

@testable import ResolveKitCore

/// The arguments that a person reads say what runs, and nothing in them changes how the rest is seen.
struct DisplayedArgumentTests {
  private func shown(_ text: String) throws -> String {
    let envelope = try ResolveKitEnvelope(
      parsing: #"{"payload":{"call_id":"c","function_name":"f","arguments":\#(text)}}"#,
      fallbackType: "tool_call_request")
    let request = try #require(ResolveKitToolCallRequest(envelope))
    return ResolveKitPendingToolCall(callID: "c", request: request, requiresApproval: true).displayedArguments
  }

  @Test(arguments: [
    // Digits, as they were written.
    (#"{"n":9007199254740993,"x":0.1000000000000000055}"#, #"{"n":9007199254740993,"x":0.1000000000000000055}"#),
    (#"{ "b" : 1E2, "a":-0 }"#, #"{"a":-0,"b":1E2}"#),
    // Letters as letters, however they came.
    (
      #"{"p":"\/srv\/gr\u00fc\u00dfe \u4f60\u597d \u0928\u092e\u0938\u094d\u0924\u0947 \u0e17\u0e35\u0e48"}"#,
      #"{"p":"/srv/grüße 你好 नमस्ते ที่"}"#
    ),
    (#"{"p":"👍"}"#, #"{"p":"👍"}"#),
    // Quotes and backslashes end nothing.
    (#"{"p":"a\"}{\\"}"#, #"{"p":"a\"}{\\"}"#),
    // Controls: ESC, DEL, C1, line ends.
    (#"{"p":"\u001b[2J\u007f\u009b\n\r\t\u0000"}"#, #"{"p":"\u001b[2J\u007f\u009b\n\r\t\u0000"}"#),
    ("{\"p\":\"\u{7F}\u{9B}31m\u{85}\u{2028}\"}", #"{"p":"\u007f\u009b31m\u0085\u2028"}"#),
    // Bidirectional controls, no width, no glyph.
    (
      "{\"p\":\"a\u{202E}b\u{2066}c\u{200B}d\u{200D}e\u{FEFF}f\u{AD}g\u{FE0F}\"}",
      #"{"p":"a\u202eb\u2066c\u200bd\u200de\ufefff\u00adg\ufe0f"}"#
    ),
    (
      "{\"p\":\"\u{2800}\u{3164}\u{A0}\u{3000}\u{E0041}\u{E000}\"}",
      #"{"p":"\u2800\u3164\u00a0\u3000\udb40\udc41\ue000"}"#
    ),
    // Only one space is a space.
    (#"{"p":"a b  c   "}"#, #"{"p":"a b \u0020c \u0020\u0020"}"#),
    // Two spellings of one look.
    ("{\"p\":\"caf\u{E9} cafe\u{301} \u{212A} \u{1100}\u{1161}\"}", #"{"p":"café cafe\u0301 \u212a ᄀ\u1161"}"#),
    // Marks that would change the quote, a slash, or the lines around.
    (
      "{\"p\":\"\u{20DD}/\u{338}\u{E17}\u{E35}\u{E35}\u{E35}\u{E35}\u{E35}\"}",
      "{\"p\":\"\\u20dd/\\u0338\u{E17}\u{E35}\u{E35}\u{E35}\u{E35}\\u0e35\"}"
    ),
    // Names too.
    ("{\"a\u{202E}\":1}", #"{"a\u202e":1}"#),
    // From right to left, each string by itself.
    ("{\"a\":\"\u{5D0}\",\"b\":\"\u{628}\"}", "{\"a\":\u{2068}\"\u{5D0}\"\u{2069},\"b\":\u{2068}\"\u{628}\"\u{2069}}"),
    // What cannot be taken is shown as the text that it is.
    (#"{"path":"/a","path":"/b"}"#, #""{\"path\":\"/a\",\"path\":\"/b\"}""#),
  ])
  func argumentsAreShownForWhatTheyAre(text: String, display: String) throws {
    let shown = try shown(text)
    #expect(shown.utf8.elementsEqual(display.utf8), "\(shown)")
  }

  @Test func whatIsShownSaysTheSameAsWhatRuns() throws {
    var random = SeededGenerator(seed: 7)
    let pool: [Unicode.Scalar] = [
      "a", " ", "\"", "\\", "\u{0}", "\u{1B}", "\u{7F}", "\u{9B}", "\u{301}", "\u{202E}", "\u{200B}", "\u{2800}", "é",
      "你",
      "\u{94D}", "\u{1F469}", "\u{200D}", "\u{E0020}", "\u{212A}",
    ]
    for _ in 0..<2000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0..<8, using: &random) { text.append(pool.randomElement(using: &random) ?? "a") }
      let value = JSONValue.object(["k": .string(String(text))])
      let display = value.visibleText
      let again = try #require(try JSONValue(parsing: display).objectValue?["k"]?.stringValue)
      #expect(again.unicodeScalars.elementsEqual(text), "seed 7: \(display)")
    }
  }

  @Test func theBackendsWordsHideNothing() {
    #expect("run\u{1B}]0;x\u{7} it\u{202E}".visible == #"run\u001b]0;x\u0007 it\u202e"#)
  }
}
