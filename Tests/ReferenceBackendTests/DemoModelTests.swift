import ReferenceBackend
import ResolveKitCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct DemoModelTests {
  private let files = ModelTool(
    name: "list_files", description: "",
    parametersSchema: [
      "properties": ["path": ["type": "string"]], "required": ["path"],
    ])
  private let time = ModelTool(name: "get_local_time", description: "", parametersSchema: [:])
  private let lights = ModelTool(
    name: "set_lights", description: "",
    parametersSchema: [
      "properties": ["room": ["type": "string"], "on": ["type": "boolean"]], "required": ["room", "on"],
    ])

  private func answer(
    _ messages: [ModelMessage], tools: [ModelTool] = []
  ) async throws -> (text: String, calls: [ModelToolCall], pieces: Int) {
    let result = Mutex<(text: String, calls: [ModelToolCall], pieces: Int)>(("", [], 0))
    try await DemoModel(tokenRate: 0).reply(to: ModelConversation(messages: messages, tools: tools)) { output in
      result.withLock { result in
        switch output {
        case .text(let text):
          result.text += text
          result.pieces += 1
        case .toolCalls(let calls): result.calls += calls
        case .usage: break
        }
      }
    }
    return result.withLock { $0 }
  }

  @Test(arguments: [1, 2, 13, 200, 5_000])
  func aStoryHasAsManyWordsAsAskedFor(_ count: Int) async throws {
    let story = try await answer([.user("Tell me a story of \(count) words")])
    #expect(story.text.split(separator: " ").count == count)
    #expect(story.pieces == count)
    #expect(try await answer([.user("Tell me a story of \(count) words")]).text == story.text)
  }

  @Test func itQuotesAndIsHonest() async throws {
    let quote = try await answer([.user("Ça va, “toi”?\n\tJa 👩‍👩‍👧")])
    #expect(quote.text.contains("Ça va, “toi”?\n\tJa 👩‍👩‍👧"))
    #expect(quote.text.contains("no language model"))
    #expect(quote.calls.isEmpty)
  }

  @Test func itCallsWhatFits() async throws {
    let tools = [files, time, lights]
    #expect(try await answer([.user("what TIME is it?")], tools: tools).calls.map(\.name) == ["get_local_time"])
    #expect(try await answer([.user("what time is it?")]).calls.isEmpty)
    #expect(try await answer([.user("sometimes")], tools: tools).calls.isEmpty)
    let listing = try await answer([.user("Which files are in /tmp/a?")], tools: tools).calls
    #expect(listing.map(\.arguments.object) == [["path": "/tmp/a"]])
    let both = try await answer([.user("time and files please")], tools: tools).calls
    #expect(both.map(\.name) == ["list_files", "get_local_time"])
    #expect(Set(both.map(\.id)).count == 2)
    let explicit = try await answer([.user(#"call set_lights {"room":"kitchen","on":true}"#)], tools: tools).calls
    #expect(explicit == [ModelToolCall(id: "demo_1", name: "set_lights", arguments: ["room": "kitchen", "on": true])])
  }

  @Test func itTakesArgumentsFromTheWords() async throws {
    let tools = [
      ModelTool(
        name: "set_vibe", description: "",
        parametersSchema: [
          "properties": ["vibe": ["type": "string", "enum": ["chill", "neon", "chaos"]]], "required": ["vibe"],
        ]),
      ModelTool(
        name: "launch_confetti", description: "",
        parametersSchema: [
          "properties": ["bursts": ["type": "integer"], "height": ["type": "number"]],
          "required": ["bursts", "height"],
        ]),
      ModelTool(
        name: "rename_mascot", description: "",
        parametersSchema: ["properties": ["name": ["type": "string"]], "required": ["name"]]),
      lights,
    ]
    let expected: [(String, String, JSONObject)] = [
      ("Set the vibe to Neon.", "set_vibe", ["vibe": "neon"]),
      ("Set some vibe", "set_vibe", ["vibe": "chill"]),
      ("Launch confetti: 7 bursts, 2.5 m high.", "launch_confetti", ["bursts": 7, "height": 7]),
      ("Launch 1e999 confetti, 0x10 high, -3.", "launch_confetti", ["bursts": -3, "height": 16]),
      ("Launch confetti", "launch_confetti", ["bursts": 0, "height": 0]),
      ("Rename the mascot to “Laser Panda”.", "rename_mascot", ["name": "Laser Panda"]),
      ("Rename mascot \"", "rename_mascot", ["name": "Rename mascot \""]),
      ("set the lights in \"the kitchen\" off", "set_lights", ["room": "the kitchen", "on": false]),
      ("set the lights in \"hall\"", "set_lights", ["room": "hall", "on": true]),
    ]
    for (question, name, arguments) in expected {
      let calls = try await answer([.user(question)], tools: tools).calls
      #expect(calls == [ModelToolCall(id: "demo_1", name: name, arguments: arguments)], "\(question)")
    }
  }

  @Test func itTellsWhatToolsGaveBackAndThenAnswersAgain() async throws {
    var messages: [ModelMessage] = [
      .user("time?"), .assistant(text: "", toolCalls: [ModelToolCall(id: "1", name: "get_local_time", arguments: [:])]),
      .toolResult(callID: "1", name: "get_local_time", content: "12:00"),
    ]
    let reply = try await answer(messages, tools: [time])
    #expect(reply.text.contains("12:00") && reply.calls.isEmpty)
    messages += [.assistant(text: reply.text, toolCalls: []), .user("time again?")]
    #expect(try await answer(messages, tools: [time]).calls.count == 1)
  }

  @Test func itKeepsItsRate() async throws {
    let clock = SteppedClock()
    let count = Mutex(0)
    let (pieces, sink) = AsyncStream<Int>.makeStream()
    let task = Task {
      try await DemoModel(tokenRate: 10, clock: clock)
        .reply(to: ModelConversation(messages: [.user("a story of 3 words")], tools: [])) { output in
          guard case .text = output else { return }
          sink.yield(
            count.withLock { count in
              count += 1
              return count
            })
        }
      sink.finish()
    }
    var iterator = pieces.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    for piece in 2...3 {
      await clock.waitForSleeper(until: .milliseconds(100 * (piece - 1)))
      #expect(count.withLock { $0 } == piece - 1)
      clock.advance(by: .milliseconds(100))
      #expect(await iterator.next() == piece)
    }
    try await task.value
  }
}
