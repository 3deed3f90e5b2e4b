import Foundation
import Subprocess
import SystemPackage
import Testing

@testable import chat

/// `chat` as a process, with the backend that it brings.
@Suite(.timeLimit(.minutes(10)))
struct ChatProgramTests {
  let chat = BuiltProgram(name: "chat")

  @Test func aPipedQuestionRunsTheToolOverHTTP3() async throws {
    // Named, as the race is HTTP/1.1's where the machine is slow.
    let outcome = try await chat.run(["--transport", "h3", "--approve", "all", "--jsonl"], input: "what time is it?")
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    let lines = outcome.lines
    let kinds = lines.compactMap { $0["kind"] as? String }
    #expect(lines.count == outcome.output.split(separator: "\n").count)
    #expect(kinds.first == "connection")
    let session = try #require(lines.first { $0["kind"] as? String == "session" })
    #expect(session["transport"] as? String == "h3")
    #expect(session["schema"] as? Int == 1)
    let firstEvent = try #require(kinds.firstIndex(of: "event"))
    #expect(try #require(kinds.firstIndex(of: "session")) < firstEvent)
    let tools = lines.filter { $0["kind"] as? String == "tool" }
    #expect(tools.last?["status"] as? String == "completed")
    #expect(tools.last?["name"] as? String == "get_local_time")
    let turn = try #require(lines.first { $0["kind"] as? String == "turn" })
    #expect(turn["status"] as? String == "complete")
    #expect((turn["text"] as? String)?.contains("the local time is") == true)
    let moments = lines.compactMap { $0["at_ns"] as? UInt64 }
    #expect(moments == moments.sorted() && !moments.isEmpty)
  }

  @Test func theAnswerAloneIsOnStandardOutputAndDeclinedToolsOnStandardError() async throws {
    let outcome = try await chat.run(["list the files in /etc"])
    #expect(outcome.status == .exited(0), "\(outcome.error)")
    #expect(outcome.error.contains("list_files"))
    #expect(!outcome.output.contains("[") && !outcome.output.isEmpty)
  }

  @Test func secretsAreNotLoggedBecauseTheEnvironmentNamesAFile() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "agent-stream-keys-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    for transport in ["h3", "h1"] {
      let outcome = try await chat.run(
        ["--transport", transport, "hello"], environment: ["SSLKEYLOGFILE": file.path])
      #expect(outcome.status == .exited(0), "\(outcome.error)")
    }
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func aTurnThatTakesTooLongHasFailed() async throws {
    let outcome = try await chat.run(["--timeout", "4", "tell me a story of 20000 words"])
    #expect(outcome.status == .exited(1), "\(outcome.error)")
    #expect(outcome.error.contains("no end of the turn"))
  }

  @Test func anAnswerThatNobodyReadsEndsTheProgram() async throws {
    let shell = try await Subprocess.run(
      .name("sh"), arguments: ["-c", "\"$0\" 'tell me a story of 20 words' >/dev/full", chat.path.string],
      output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
    #expect(shell.terminationStatus == .exited(1), "\(shell.standardError)")
    #expect(shell.standardError.contains("Standard output"))
  }

  @Test func eachFailureHasItsStatusAndASentence() async throws {
    let unknownFlag = try await chat.run(["--no-such-flag"])
    #expect(unknownFlag.status == .exited(2))
    #expect(!unknownFlag.error.isEmpty)
    // Port 9 (discard) of a loopback address has no server.
    let nobody = try await chat.run(
      ["--url", "https://127.0.0.1:9", "hello"], environment: ["RESOLVEKIT_API_KEY": "rk_x"])
    #expect(nobody.status == .exited(3), "\(nobody.error)")
    #expect(nobody.error.contains("HTTP/3") && nobody.error.contains("HTTP/1.1"), "\(nobody.error)")
    let plaintext = try await chat.run(
      ["--url", "http://host.invalid", "hello"], environment: ["RESOLVEKIT_API_KEY": "rk_x"])
    #expect(plaintext.status == .exited(3) || plaintext.status == .exited(2), "\(plaintext.error)")
    #expect(!plaintext.error.isEmpty)
    let keyless = try await chat.run(["--url", "https://127.0.0.1:9", "hello"])
    #expect(keyless.status == .exited(4), "\(keyless.error)")
    let distrustful = try await chat.run(
      ["--url", "https://127.0.0.1:9", "--ca-file", "/nonexistent", "hello"],
      environment: ["RESOLVEKIT_API_KEY": "rk_x"])
    #expect(distrustful.status == .exited(2) && distrustful.error.contains("'/nonexistent' can't be read"))
    let homeless = try await chat.run(["hello"], environment: ["XDG_STATE_HOME": "/proc/nonexistent"])
    #expect(homeless.status == .exited(3))
    #expect(homeless.error.contains("set XDG_STATE_HOME") && !homeless.error.contains("NSCocoaError"))
  }

  @Test func continuesOnlyConversationsOfThisServer() async throws {
    let state = TerminalDialogue.temporaryFolder().path
    defer { try? FileManager.default.removeItem(atPath: state) }
    let kept = ["XDG_STATE_HOME": state, "RESOLVEKIT_API_KEY": "rk_x"]
    let nothing = try await chat.run(["--list"], environment: kept)
    #expect(nothing.output == "" && nothing.error == "chat: no conversation is kept on this machine\n")
    #expect(try await chat.run(["-c", "hello"], environment: kept).status == .exited(2))
    #expect(try await chat.run(["hello"], environment: kept).status == .exited(0))
    #expect(try await chat.run(["-c", "again"], environment: kept).status == .exited(0))
    let other = try await chat.run(["-c", "--url", "https://127.0.0.1:9", "hello"], environment: kept)
    #expect(other.status == .exited(2))
    #expect(other.error.contains("no conversation with https://127.0.0.1:9 is kept"), "\(other.error)")
  }

  @Test func conversationsThatWereNotUsedForLongAreForgottenWhereANewOneBegins() async throws {
    let state = TerminalDialogue.temporaryFolder().path
    defer { try? FileManager.default.removeItem(atPath: state) }
    let kept = ["XDG_STATE_HOME": state]
    let folder = state + "/agent-stream/sessions"
    func journals() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".journal") }
    }
    #expect(try await chat.run(["hello"], environment: kept).status == .exited(0))
    let old = try #require(try journals().first)
    let age = Date(timeIntervalSinceNow: -86_400 * Double(ConversationChoice.keptDays + 1))
    try FileManager.default.setAttributes([.modificationDate: age], ofItemAtPath: "\(folder)/\(old)")
    // A caller that still wants it has it.
    #expect(try await chat.run(["-c", "hello"], environment: kept).status == .exited(0))
    #expect(try journals() == [old])
    try FileManager.default.setAttributes([.modificationDate: age], ofItemAtPath: "\(folder)/\(old)")
    #expect(try await chat.run(["hello"], environment: kept).status == .exited(0))
    #expect(try journals().count == 1 && !journals().contains(old))
  }
}
