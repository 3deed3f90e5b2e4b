import ArgumentParser
import Foundation
import Logging
import ResolveKitTerminal
import ResolveKitUI
import Testing

@testable import chat

struct ChatOptionsTests {
  /// The settings that flags, an environment and a file give together.
  private func settings(
    _ arguments: [String] = [], environment: [String: String] = [:], file: String? = nil
  ) throws -> ChatSettings {
    let folder = FileManager.default.temporaryDirectory.appending(path: "chat-config-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var environment = environment
    environment["XDG_CONFIG_HOME"] = folder.path
    if let file {
      let path = URL(filePath: ChatSettings.standardFile(environment: environment))
      try FileManager.default.createDirectory(
        at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.utf8).write(to: path)
    }
    return try ChatSettings.load(try ChatOptions.parse(arguments), environment: environment)
  }

  @Test func defaultsAreSafe() throws {
    let settings = try settings()
    #expect(settings.found == [:])
    #expect(settings.transport == .auto && settings.approve == .ask && settings.color == .auto)
    #expect(settings.isKept && !settings.isPlain && !settings.allowsPlaintext)
    #expect(settings.logLevel == .warning)
    #expect(settings.connectTimeout == .seconds(30) && settings.turnTimeout == nil)
  }

  @Test func everyFlagIsTaken() throws {
    let arguments = [
      "--url", "https://localhost:8443", "--api-key-file", "key", "--ca-file", "ca.pem", "--transport", "h1",
      "--certificate", "c.pem", "--private-key", "k.pem",
      "--approve", "all", "--jsonl", "--timeout", "2.5", "--log-level", "debug", "--color", "never", "--plain",
      "--no-keep", "--allow-plaintext", "--locale", "lt", "what", "time?",
    ]
    let settings = try settings(arguments)
    #expect(settings.text(.baseURL) == "https://localhost:8443")
    #expect(settings.text(.apiKeyFile) == "key" && settings.text(.caFile) == "ca.pem")
    #expect(settings.text(.certificate) == "c.pem" && settings.text(.privateKey) == "k.pem")
    #expect(settings.transport == .h1 && settings.approve == .all && settings.color == .never)
    #expect(settings.isPlain && !settings.isKept && settings.allowsPlaintext)
    #expect(settings.turnTimeout == .seconds(2.5) && settings.logLevel == .debug)
    let options = try ChatOptions.parse(arguments)
    #expect(options.jsonl && options.prompt == ["what", "time?"])
  }

  @Test func flagsComeBeforeTheEnvironmentAndThatBeforeTheFile() throws {
    let file = #"{"transport": "h1", "approve": "none", "timeout": 9, "plain": true, "locale": "de"}"#
    let environment = ["RESOLVEKIT_TRANSPORT": "h3", "RESOLVEKIT_APPROVE": "all", "RESOLVEKIT_PLAIN": "false"]
    let settings = try settings(["--transport", "auto"], environment: environment, file: file)
    #expect(settings.transport == .auto && settings.found[.transport]?.source == "command line")
    #expect(settings.approve == .all && settings.found[.approve]?.source == "RESOLVEKIT_APPROVE")
    #expect(!settings.isPlain)
    #expect(settings.turnTimeout == .seconds(9))
    #expect(settings.text(.locale) == "de")
    #expect(settings.found[.locale]?.source.hasSuffix("/agent-stream/chat.json") == true)
  }

  @Test func secretsAreNotPrinted() throws {
    let settings = try settings(
      environment: [
        "RESOLVEKIT_API_KEY": "rk_secret", "RESOLVEKIT_BASE_URL": "https://me:pass@host.example/x?token=t",
      ])
    let text = settings.description
    #expect(text.contains("api-key = (hidden) (RESOLVEKIT_API_KEY)"))
    #expect(!text.contains("rk_secret") && !text.contains("pass") && !text.contains("token=t"))
    #expect(text.contains("host.example/x"))
    #expect(text.contains("ca-file: not set"))
  }

  @Test(arguments: [
    #"{"api-key": "rk_secret"}"#, #"{"timeout": "soon"}"#, #"{"transport": "h2"}"#, #"{"plain": "maybe"}"#, "{", "[]",
    #"{"plain": 1}"#, #"{"keep": 0}"#, #"{"keep": "no"}"#, #"{"timeout": "20"}"#, #"{"timeout": true}"#,
    #"{"locale": 7}"#, #"{"transport": null}"#, #"{"ca-file": ["a"]}"#, #"{"timeout": 1} x"#,
    #"{"timeout": -1}"#, #"{"color": "red"}"#, #"{"log-level": "loud"}"#, #"{"base-url": "nowhere"}"#,
  ])
  func aFileThatCannotBeTakenIsRefusedWithASentence(file: String) {
    let failure = #expect(throws: ChatFailure.self) { try settings(file: file) }
    #expect(failure?.code == .usage)
    #expect(failure?.message.isEmpty == false && failure?.message.contains("rk_secret") == false)
  }

  @Test(arguments: [
    ("transprot", "transport"), ("url", "base-url"), ("base_url", "base-url"), ("Timeout", "timeout"),
    ("loglevel", "log-level"), ("apikey-file", "api-key-file"), ("colour", "color"), ("", "base-url"),
  ])
  func anUnknownNameIsRefusedWithTheNearestKnownOne(name: String, nearest: String) {
    let failure = #expect(throws: ChatFailure.self) { try settings(file: #"{"timeout": 5, "\#(name)": "x"}"#) }
    #expect(failure?.code == .usage)
    #expect(
      failure?.message.hasSuffix("has no setting '\(name)'; is it \(nearest)?") == true, "\(failure?.message ?? "")")
  }

  @Test func aFileThatIsNamedMustBeThere() {
    let failure = #expect(throws: ChatFailure.self) { try settings(["--config", "/nowhere/chat.json"]) }
    #expect(failure?.code == .usage)
  }

  @Test(arguments: [
    ["--transport", "h2"], ["--timeout", "-1"], ["--approve", "maybe"], ["--api-key", "rk_secret"], ["--color", "red"],
    ["--continue", "--resume", "x"],
  ])
  func nonsenseIsRefused(arguments: [String]) {
    #expect(throws: (any Error).self) { try ChatOptions.parse(arguments) }
  }

  @Test(arguments: [
    ["--timeout", "0"], ["--timeout", "nan"], ["--timeout", "1e9"], ["--url", "nowhere"],
  ])
  func valuesThatCannotBeTakenAreRefused(arguments: [String]) {
    #expect(throws: ChatFailure.self) { try settings(arguments) }
  }

  @Test(arguments: [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o666, false)])
  func aKeyFileIsItsOwnersAlone(mode: Int, isTaken: Bool) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = FileManager.default.createFile(atPath: path, contents: Data(" rk_x\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    if isTaken {
      #expect(try APIKeyFile.read(path) == "rk_x")
    } else {
      let refusal = #expect(throws: APIKeyFile.Refusal.self) { try APIKeyFile.read(path) }
      #expect(refusal?.description.contains("chmod 600") == true)
    }
  }

  @Test(arguments: ["/nowhere", "/", "/dev/null"]) func whatHoldsNoKeyIsRefused(path: String) {
    #expect(throws: APIKeyFile.Refusal.self) { try APIKeyFile.read(path) }
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
