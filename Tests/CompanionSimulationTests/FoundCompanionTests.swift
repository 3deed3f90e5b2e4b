import Testing

@testable import CompanionSimulation

/// Schedules that campaigns found, shortened: each showed a fault that is mended.
struct FoundCompanionTests {
  private func violations(of lines: String) throws -> [String] {
    try CompanionRun.run(CompanionSchedule(lines: lines)).violations
  }

  /// Codex gave a question up, and its turn ended, while a companion joined the chat after an outage: the question and
  /// the turn's end were reported once more.
  @Test func aTurnThatEndsWhileItsChatIsJoinedIsReportedOnce() throws {
    let schedule = #"""
      {"end":14085,"seed":5}
      {"at":4534,"event":{"turn":{"_0":3,"_1":[{"duration":0,"kind":"command","matter":1,"patience":800,\#
      "reactions":[null,null]}],"atOnce":true}}}
      {"at":5015,"event":{"cutCodex":{"for":300}}}
      """#
    #expect(try violations(of: schedule) == [])
  }
}
