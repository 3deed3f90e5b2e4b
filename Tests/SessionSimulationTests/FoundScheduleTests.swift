import Testing

@testable import SessionSimulation

/// Schedules that campaigns found, shortened: each showed a fault that is mended.
struct FoundScheduleTests {
  private func violations(of lines: String) throws -> [String] {
    try SessionRun.run(SessionSchedule(lines: lines)).violations
  }

  /// The answer to a post came behind the turn's end; sent again, the message waited ten minutes for that end.
  @Test func aFailedMessageIsSentAgainAtOnce() throws {
    let schedule = #"""
      {"backends":1,"end":98865,"seed":27198}
      {"at":15635,"event":{"say":{"_0":1,"_1":{"parts":[{"calls":[],"fails":true,"pace":300,\#
      "pieces":["on. on. ","…","𝛼β \"x\"\n"]}]}}}}
      {"at":16532,"event":{"killClient":{"down":0,"kept":0,"step":5}}}
      {"at":50472,"event":{"retry":{}}}
      """#
    #expect(try violations(of: schedule) == [])
  }

  /// The user stopped a turn, which ended on the backend; sent again, its answer was shown behind the part of it that was
  /// there.
  @Test func aStoppedAnswerIsShownOnce() throws {
    let schedule = #"""
      {"backends":1,"end":37520,"seed":31872}
      {"at":7065,"event":{"say":{"_0":1,"_1":{"parts":[{"calls":[{"decision":"approve","duration":2000,\#
      "fails":false,"heedsCancellation":true,"hesitation":20000,"repeatsID":false,"tool":"serial"}],\#
      "fails":false,"pace":1,"pieces":[]},{"calls":[],"fails":false,"pace":3000,"pieces":["on. and 𝛼β "]}]}}}}
      {"at":9356,"event":{"say":{"_0":2,"_1":{"parts":[{"calls":[{"decision":"approve","duration":9000,\#
      "fails":false,"heedsCancellation":true,"hesitation":400,"repeatsID":false,"tool":"plain"}],\#
      "fails":false,"pace":300,"pieces":["\"x\"\nso ","Grüße ","\"x\"\non. on. ","é "]},{"calls":[],\#
      "fails":false,"pace":300,"pieces":["…"]}]}}}}
      {"at":21322,"event":{"disturbRequests":{"_0":"refused","count":1}}}
      {"at":24348,"event":{"cancelTurn":{}}}
      {"at":36529,"event":{"retry":{}}}
      """#
    #expect(try violations(of: schedule) == [])
  }
}
