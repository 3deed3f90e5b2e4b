import HTTP3Engine
import TestSupport
import Testing

@testable import hostile_server

/// Our server's engine in each case of the clients' table, in virtual time.
@Suite struct AttackTests {
  @Test(arguments: AttackCase.all)
  func theServerDoesWhatTheRuleSays(_ row: AttackCase) throws {
    let pair = try QUICPair.make()
    try pair.replaceClient(
      QUICPair.clientConfiguration {
        $0.connection.isRaw = true
        row.change(&$0)
      })
    let server = EchoServer(on: pair)
    var play = AttackPlay(row)
    pair.onClient = { play.note($0) }
    var outcome: CaseOutcome?
    play.advance(pair.client, at: pair.now)
    for _ in 0..<200 where outcome == nil {
      try pair.run(for: .milliseconds(25))
      play.advance(pair.client, at: pair.now)
      outcome = play.outcome(pair.client)
    }
    let isPlayed = !play.isInapplicable
    #expect(isPlayed, "\(row.name): our server allows too few streams")
    #expect((outcome ?? .hanging).fit(row.demands) != .none, "\(row.name): \(outcome ?? .hanging)")
    // Another client is served.
    try pair.replaceClient(QUICPair.clientConfiguration())
    let next = RequestClient(on: pair)
    next.send("GET", "/bytes/100")
    try pair.run { next.isDone }
    #expect(next.answers[0].body == EchoServer.pattern(100))
    #expect(!server.requests.isEmpty)
  }

  @Test func namesAreUniqueAndPlain() {
    let names = AttackCase.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil })
    #expect(AttackCase.all.allSatisfy { $0.rule.wholeMatch(of: /RFC \d{4} § \d+(\.\d+)*/) != nil })
  }
}

extension AttackCase: CustomTestStringConvertible {
  public var testDescription: String { name }
}
