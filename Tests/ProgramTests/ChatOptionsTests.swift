import ArgumentParser
import Logging
import Testing

@testable import chat

struct ChatOptionsTests {
  @Test func defaultsAreSafe() throws {
    let options = try ChatOptions.parse([])
    #expect(options.transport == .auto)
    #expect(options.approve == .ask)
    #expect(!options.jsonl && !options.allowPlaintext)
    #expect(options.level == .warning)
    #expect(options.connectTimeout == .seconds(30))
    #expect(options.turnTimeout == nil)
    #expect(options.prompt == [])
  }

  @Test func everyFlagIsTaken() throws {
    let options = try ChatOptions.parse([
      "--url", "https://localhost:8443", "--api-key-file", "key", "--ca-file", "ca.pem", "--transport", "h1",
      "--approve", "all", "--jsonl", "--timeout", "2.5", "--log-level", "debug", "what", "time?",
    ])
    #expect(options.url == "https://localhost:8443")
    #expect(options.apiKeyFile == "key")
    #expect(options.caFile == "ca.pem")
    #expect(options.transport == .h1)
    #expect(options.approve == .all)
    #expect(options.jsonl)
    #expect(options.turnTimeout == .seconds(2.5))
    #expect(options.level == .debug)
    #expect(options.prompt == ["what", "time?"])
  }

  @Test(arguments: [
    ["--transport", "h2"], ["--approve", "maybe"], ["--timeout", "0"], ["--timeout", "-1"], ["--timeout", "nan"],
    ["--timeout", "1e9"], ["--url", "nowhere"], ["--api-key", "rk_secret"],
  ])
  func nonsenseIsRefused(arguments: [String]) {
    #expect(throws: (any Error).self) { try ChatOptions.parse(arguments) }
  }

  @Test(arguments: [("hi\n", "hi"), ("two\nlines\r\n\n", "two\nlines"), (" kept ", " kept ")])
  func messageLosesItsLastLineEnds(text: String, message: String) throws {
    #expect(try Prompt.checked(text) == message)
  }

  @Test(arguments: ["", "\n", "  \t\n", String(repeating: "x", count: 32_769)])
  func messageThatCannotBeSentIsRefused(text: String) {
    let failure = #expect(throws: ChatFailure.self) { try Prompt.checked(text) }
    #expect(failure?.code == .usage)
  }
}
