import ResolveKitCore
import StreamTransport
import TestSupport
import Testing

@testable import CodexCompanion

@Suite(.timeLimit(.minutes(5))) struct ChatLookupsTests {
  @Test func aDeviceThatAsksForManyWaitsAndTheOthersDoNot() {
    var lookups = ChatLookups()
    for number in 0..<ChatLookups.rate.burst {
      #expect(lookups.verdict(on: "c\(number)", for: "d", now: .zero) == .ask)
    }
    #expect(lookups.verdict(on: "x", for: "d", now: .zero) == .wait(.seconds(2)))
    #expect(lookups.verdict(on: "x", for: "other", now: .zero) == .ask)
    #expect(lookups.verdict(on: "x", for: nil, now: .zero) == .ask)
    #expect(lookups.verdict(on: "x", for: "d", now: .seconds(2)) == .ask)
  }

  @Test func whatWasNotFoundIsUnknownForAWhile() {
    var lookups = ChatLookups()
    lookups.notFound("c", now: .zero)
    #expect(lookups.verdict(on: "c", for: "d", now: ChatLookups.memory - .seconds(1)) == .unknown)
    #expect(lookups.verdict(on: "c", for: "d", now: ChatLookups.memory) == .ask)
    lookups.notFound("c", now: .zero)
    lookups.found("c")
    #expect(lookups.verdict(on: "c", for: "d", now: .seconds(1)) == .ask)
    for number in 0..<100_000 { lookups.notFound("n\(number)", now: .zero) }
    #expect(lookups.verdict(on: "n99999", for: "d", now: .zero) == .unknown)
  }

  @Test func theListIsReadNowAndThen() {
    var lookups = ChatLookups()
    let pause = ChatLookups.listPause
    let answers = [.zero, pause - .seconds(1), pause].map { lookups.mayList(now: $0) }
    #expect(answers == [true, false, true])
  }

  /// Ten thousand made-up ids cost codex as many calls as the rate has, and its list once.
  @Test func madeUpChatsCostLittle() async throws {
    let codex = ScriptedCodex()
    let folder = try TemporaryFolder()
    let directory = ChatDirectory(
      link: codex, catalog: try ProjectCatalog(file: folder.file("projects.json")),
      clock: TransportClock(ManualClock()))
    codex.on("thread/list") { _ in ["data": [["id": "known", "cwd": "/k", "updatedAt": 1]]] }
    let device = Device(id: "d", name: "phone", pairedAt: 0)
    var codes: [ChatError.Code: Int] = [:]
    for number in 0..<10_000 {
      do {
        _ = try await directory.folder(of: "c\(number)", for: device)
      } catch let error as ChatError {
        codes[error.code, default: 0] += 1
      }
    }
    #expect(codes == [.unknownChat: ChatLookups.rate.burst, .tooMany: 10_000 - ChatLookups.rate.burst])
    #expect(codex.calls.filter { $0 == "thread/read" }.count == ChatLookups.rate.burst)
    #expect(codex.calls.filter { $0 == "thread/list" }.count == 1)
    // What is known is returned all the same.
    #expect(try await directory.folder(of: "known", for: device) == "/k")
  }
}
