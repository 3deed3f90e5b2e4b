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

  /// A backend was halted while it found out whether the turn is its own. The other one had the turn by then, asked for a
  /// tool, and had its result; the model was asked once more, without that.
  @Test func aHaltedBackendLooksAgainWhoseTheTurnIs() throws {
    let schedule = #"""
      {"backends":2,"end":21275,"seed":20261127354488}
      {"at":3691,"event":{"say":{"_0":1,"_1":{"parts":[{"calls":[{"decision":"approveForSession","duration":200,\#
      "fails":false,"heedsCancellation":false,"hesitation":3000,"repeatsID":false,"tool":"asking"}],\#
      "fails":false,"pace":300,"pieces":[]},{"calls":[{"decision":"deny","duration":200,\#
      "fails":false,"heedsCancellation":true,"hesitation":59900,"repeatsID":false,"tool":"repeatable"}],\#
      "fails":false,"pace":20,"pieces":[]},{"calls":[],"fails":false,"pace":300,"pieces":[]}]}}}}
      {"at":7591,"event":{"pauseBackend":{"_0":1,"for":25000}}}
      """#
    #expect(try violations(of: schedule) == [])
  }

  /// The network repeated an event that it had lost, behind a later one, and the client was killed between its record and
  /// its effect. The judge took the later one for left out.
  @Test func whatComesLateIsKeptBeforeItIsShown() throws {
    let schedule = #"""
      {"backends":1,"end":88280,"seed":20261127379822}
      {"at":4982,"event":{"loseEvent":{}}}
      {"at":7434,"event":{"repeatEvents":{"_0":3,"isShuffled":false}}}
      {"at":13944,"event":{"cutStream":{"afterBytes":643}}}
      {"at":27086,"event":{"say":{"_0":1,"_1":{"parts":[{"calls":[{"decision":"approveForSession","duration":5,\#
      "fails":true,"heedsCancellation":false,"hesitation":400,"repeatsID":false,"tool":"asking"}],\#
      "fails":false,"pace":1,"pieces":["Grüße Grüße so ","…"]},{"calls":[],"fails":false,"pace":300,"pieces":[]}]}}}}
      {"at":27805,"event":{"killClient":{"down":15000,"kept":1,"step":3}}}
      """#
    #expect(try violations(of: schedule) == [])
  }
}
