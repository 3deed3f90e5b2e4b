import HTTPTypes
import ReferenceBackend
import ResolveKitCore
import Synchronization
import TestSupport
import Testing

/// Endpoints that take liberties with the form, as real ones do.
@Suite(.timeLimit(.minutes(10)))
struct OddEndpointTests {
  private typealias Answer = ModelEndpoint.Answer
  private typealias Heard = (text: String, calls: [ModelToolCall], usage: ModelUsage?)

  private func hear(
    _ answer: Answer, onText: @escaping @Sendable () -> Void = {}
  ) async throws -> (Heard, ModelError?) {
    let heard = Mutex<Heard>(("", [], nil))
    let failure = Mutex<ModelError?>(nil)
    try await ModelEndpoint([answer]).run { url in
      let model = try OpenAIModel(baseURL: url, model: "m", key: nil)
      do {
        try await model.reply(to: ModelConversation(messages: [.user("x")], tools: [])) { output in
          heard.withLock { heard in
            switch output {
            case .text(let text):
              heard.text += text
              onText()
            case .toolCalls(let calls): heard.calls += calls
            case .usage(let usage): heard.usage = usage
            }
          }
        }
      } catch let error as ModelError {
        failure.withLock { $0 = error }
      }
      await model.shutdown()
    }
    return (heard.withLock { $0 }, failure.withLock { $0 })
  }

  private static func chunk(_ delta: String, finish: String? = nil) -> String {
    #"{"choices":[{"index":0,"delta":\#(delta),"finish_reason":\#(finish.map { "\"\($0)\"" } ?? "null")}]}"#
  }

  private static func call(_ index: Int?, id: String? = nil, name: String? = nil, _ arguments: String?) -> String {
    var function: JSONObject = [:]
    function["name"] = name.map { .string($0) }
    function["arguments"] = arguments.map { .string($0) }
    var part: JSONObject = ["type": "function", "function": .object(function)]
    part["index"] = index.map { .number(Double($0)) }
    part["id"] = id.map { .string($0) }
    return chunk(JSONValue.object(["tool_calls": [.object(part)]]).jsonText)
  }

  private static let text = "Zürich “naïve” 👩‍👩‍👧 ok"

  @Test(arguments: ["\n", "\r\n", "\r"])
  func lineEndsCommentsAndSplitCharacters(_ lineEnd: String) async throws {
    var stream = ": OPENROUTER PROCESSING\(lineEnd)\(lineEnd)event: ping\(lineEnd)\(lineEnd)"
    for character in Self.text {
      stream += "id: 7\(lineEnd)data:\(Self.chunk(JSONValue.object(["content": .string(String(character))]).jsonText))"
      stream += "\(lineEnd)\(lineEnd): keep-alive\(lineEnd)\(lineEnd)"
    }
    stream += "data: \(Self.chunk("{}", finish: "stop"))\(lineEnd)\(lineEnd)data: [DONE]\(lineEnd)\(lineEnd)"
    // Every byte is a write of its own.
    let (heard, failure) = try await hear(Answer(bytes: stream.utf8.map { [$0] }))
    #expect(failure == nil)
    #expect(heard.text == Self.text)
  }

  @Test func theEndMarkMayBeMissing() async throws {
    let whole = [Self.chunk(#"{"content":"a"}"#), Self.chunk("{}", finish: "stop")].map { "data: \($0)\n\n" }.joined()
    let ended = try await hear(Answer(chunks: [whole]))
    #expect(ended.1 == nil && ended.0.text == "a")
    // The endpoint goes once its answer was read: what is on its way then may be lost.
    let gate = Gate()
    let broken = try await hear(Answer(chunks: [whole], breaksOff: true, gate: gate)) { gate.open() }
    #expect(broken.1 == nil && broken.0.text == "a")
    // The end mark alone does, too.
    let (heard, failure) = try await hear(.events([Self.chunk(#"{"content":"a"}"#)]))
    #expect(failure == nil && heard.text == "a")
  }

  @Test func callsComeInManyPartsWithTheirIndexesMixed() async throws {
    let first = #"{"text":"\"a\" \\ 𝄞 ü","n":12345678901234567890}"#
    let second = #"{"list":[1,2,3]}"#
    var data = [Self.call(1, id: "b", name: "two", ""), Self.call(0, id: "a", name: "one", nil)]
    let parts = (first.unicodeScalars.map { String($0) }, second.unicodeScalars.map { String($0) })
    for index in 0..<max(parts.0.count, parts.1.count) {
      if index < parts.0.count { data.append(Self.call(0, parts.0[index])) }
      if index < parts.1.count { data.append(Self.call(1, parts.1[index])) }
    }
    let (heard, failure) = try await hear(.events(data + [Self.chunk("{}", finish: "tool_calls")]))
    #expect(failure == nil)
    let expected = try [("a", "one", first), ("b", "two", second)].map { id, name, text in
      ModelToolCall(id: id, name: name, arguments: try ResolveKitArguments(parsing: text))
    }
    #expect(heard.calls == expected)
  }

  @Test(arguments: [0, nil])
  func callsMayShareAnIndexOrHaveNone(_ index: Int?) async throws {
    let data = [
      Self.call(index, id: "a", name: "one", #"{"n":1}"#), Self.call(index, id: "b", name: "two", #"{"n":"#),
      Self.call(index, id: "b", "2}"), Self.call(index, id: "c", name: "three", " "),
    ]
    let (heard, failure) = try await hear(.events(data + [Self.chunk("{}", finish: "tool_calls")]))
    #expect(failure == nil)
    #expect(heard.calls.map(\.id) == ["a", "b", "c"])
    #expect(heard.calls.map(\.arguments.object) == [["n": 1], ["n": 2], [:]])
  }

  @Test func anAnswerCutForItsLengthSaysSo() async throws {
    let (heard, failure) = try await hear(
      .events([Self.chunk(#"{"content":"half a"}"#), Self.chunk("{}", finish: "length")]))
    #expect(failure == nil)
    #expect(heard.text == "half a\n\n[The answer is cut off here: it reached the model's limit of length.]")
    let filtered = try await hear(.events([Self.chunk(#"{"content":"half a"}"#, finish: "content_filter")]))
    #expect(filtered.0.text.contains("content filter"))
    // A call that was cut is not made with what came of its arguments.
    let (none, error) = try await hear(
      .events([Self.call(0, id: "a", name: "pay", #"{"amount":10"#), Self.chunk("{}", finish: "length")]))
    #expect(none.calls.isEmpty)
    #expect(error?.code == .malformed && error?.message.contains("raise that limit") == true)
  }

  @Test func argumentsThatAreNoTextAreRefused() async throws {
    let part = #"{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":{"n":1}}}]}"#
    let (_, error) = try await hear(.events([Self.chunk(part, finish: "tool_calls")]))
    #expect(error?.code == .malformed)
  }

  @Test(arguments: [
    (400, "application/json", #"{"error":{"message":"no such\nmodel","code":400}}"#, "400: no such model"),
    (404, "application/json", #"{"error":"model not found"}"#, "404: model not found"),
    (429, "application/json", #"{"error":{"message":"slow down"}}"#, "429: slow down"),
    (502, "text/html", "<html>\r\n<h1>502\u{1B}[31m Bad Gateway</h1>\n</html>", "<h1>502 [31m Bad Gateway</h1>"),
    (503, "text/html", "", "503: no reason given"),
    (500, "text/plain", String(repeating: "x", count: 100_000), "500: xxx"),
  ])
  func refusalsAreReportedInOneLine(_ status: Int, _ type: String, _ body: String, _ words: String) async throws {
    let (_, error) = try await hear(Answer(status: .init(code: status), contentType: type, chunks: [body]))
    let message = try #require(error?.message)
    #expect(message.contains(words), "\(message)")
    #expect(message.utf8.count < 700 && !message.utf8.contains { $0 < 0x20 }, "\(message)")
    #expect(error?.code == (status == 429 ? .refused : .unreachable))
  }

  @Test func anAnswerThatIsNoStreamIsReportedAsSuch() async throws {
    let (_, error) = try await hear(
      Answer(contentType: "application/json", chunks: [#"{"choices":[{"message":{"content":"whole"}}]}"#]))
    #expect(error?.code == .malformed && error?.message.contains("application/json") == true)
  }

  @Test func aConnectionCutInTheMiddleIsNoAnswer() async throws {
    let gate = Gate()
    let chunks = ["data: \(Self.chunk(#"{"content":"half"}"#))\n\n", "data: {\"choices\":[{\"del"]
    let (heard, error) = try await hear(Answer(chunks: chunks, breaksOff: true, gate: gate)) { gate.open() }
    #expect(heard.text == "half")
    #expect(error?.code == .unreachable)
  }

  /// Earlier text stays on the stream, and the turn ends.
  @Test func aTurnEndsWhenItsModelBreaksOff() async throws {
    let gate = Gate()
    let endpoint = ModelEndpoint([
      Answer(chunks: ["data: \(Self.chunk(#"{"content":"half"}"#))\n\n"], breaksOff: true, gate: gate),
      .events([Self.chunk(#"{"content":"ok"}"#, finish: "stop")]),
    ])
    try await endpoint.run { url in
      let harness = try await Harness(model: try OpenAIModel(baseURL: url, model: "m", key: nil))
      let session = try await harness.openSession()
      try await session.say("x", requestID: "r")
      var reader = try await session.stream()
      _ = try await reader.nextEvent()
      gate.open()
      let events = try await session.eventsOfTurn()
      #expect(events.text == "half" && events.last?.payload["code"] == "llm_error")
      let last = try #require(events.last?.id)
      try await session.say("y", requestID: "r2")
      #expect(try await session.eventsOfTurn(after: last).last?.payload["full_text"] == "ok")
      await harness.core.close()
    }
  }
}
