import ResolveKitUI
import SessionSupport
import TestSupport
import Testing

/// The stream is cut where a seed says, gracefully or torn: nothing may be lost, repeated or run twice.
@Suite(.timeLimit(.minutes(10)))
struct RuntimeCutTests {
  @Test(arguments: 1...50)
  func cutStreamEndsWithTheLogsText(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let key = "cut-\(seed)"
    let words = (0..<40).map { "wörd\($0) " }
    let cuts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      ContractServer.Cut(afterBytes: .random(in: 0...6000, using: &random), isClean: .random(using: &random))
    }
    let server = ContractServer(
      cuts: cuts,
      onMessage: { server, turn, request, _ in
        for index in words.indices.prefix(20) {
          server.append(
            turn: turn, request: request, type: "assistant_text_delta",
            payload: [
              "delta": .string(words[index]), "accumulated": .string(words[...index].joined()),
            ])
        }
        server.requestCall(turn: turn, request: request, tool: "count", key: key)
      },
      onToolResult: { server, _ in
        let said = words.prefix(20).joined()
        server.streamAnswer(turn: "t1", request: "", Array(words.dropFirst(20)), after: said)
      })
    let updates = try await Conversation(server: server).updates(of: "go")
    #expect(updates.finishedTurn?.text == words.joined(), "seed \(seed), cuts \(cuts)")
    #expect(updates.shownText == words.joined(), "seed \(seed), cuts \(cuts)")
    #expect(RunCounter.count(key) == 1, "seed \(seed), cuts \(cuts)")
    #expect(updates.eventIDs == server.log.map { "\($0.id)" }, "seed \(seed), cuts \(cuts)")
  }
}
