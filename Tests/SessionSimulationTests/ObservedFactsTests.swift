import Testing

@testable import SessionSimulation

/// What real programs have left, judged by the simulator's judge.
struct ObservedFactsTests {
  private static let story = [
    #"{"at":0,"fact":{"leaseGiven":{"holder":"b","fence":1,"until":0,"at":0}}}"#,
    #"{"at":0,"fact":{"clientStarted":{}}}"#,
    #"{"at":1,"fact":{"messageTaken":{"request":"r","text":"x"}}}"#,
    #"{"at":2,"fact":{"turnBegun":{"turn":"t","request":"r","text":"x"}}}"#,
    #"{"at":3,"fact":{"appended":{"sequence":1,"fence":1,"turn":"t","type":"tool_call_request","#
      + #""body":"{\"call_id\":\"c\",\"function_name\":\"wait\"}"}}}"#,
    #"{"at":4,"fact":{"eventArrived":{"id":"1","connection":0}}}"#,
    #"{"at":4,"fact":{"eventApplied":{"id":"1","turn":"t","type":"tool_call_request"}}}"#,
    #"{"at":5,"fact":{"toolStarted":{"_0":{"turn":"t","id":"c","repetition":""},"tool":"wait","arguments":""}}}"#,
    #"{"at":6,"fact":{"resultDurable":{"_0":{"turn":"t","id":"c","repetition":""}}}}"#,
    #"{"at":7,"fact":{"appended":{"sequence":2,"fence":1,"turn":"t","type":"turn_complete","#
      + #""body":"{\"full_text\":\"\"}"}}}"#,
    #"{"at":7,"fact":{"turnEnded":{"turn":"t","status":"over"}}}"#,
    #"{"at":8,"fact":{"eventArrived":{"id":"2","connection":0}}}"#,
    #"{"at":8,"fact":{"eventApplied":{"id":"2","turn":"t","type":"turn_complete"}}}"#,
    #"{"at":9,"fact":{"turnFinished":{"request":"r","turn":"t","status":"complete","text":""}}}"#,
  ]

  private func judge(_ lines: [String]) throws -> String {
    try ObservedFacts.judge(lines: lines.joined(separator: "\n")).joined(separator: "\n")
  }

  @Test func aSoundStoryIsSound() throws {
    #expect(try judge(Self.story) == "")
  }

  /// What stands in a fact's place when it is left out, or said twice.
  @Test(arguments: [
    (6, false, "invariant 1: event 1 is left out"), (6, true, "invariant 11: event 1 takes effect"),
    (7, true, "invariant 6: c of t starts again"), (9, true, "ledger: event 2 follows 2"),
    (10, false, "ledger: turns never ended"), (12, false, "invariant 1: event 2 never arrived"),
    (13, false, "invariant 12: r never ended"),
    (3, true, "invariant 12: r began t and t"),
  ])
  func eachLineCounts(_ index: Int, _ isRepeated: Bool, _ violation: String) throws {
    var lines = Self.story
    if isRepeated {
      lines.insert(lines[index], at: index)
    } else {
      lines.remove(at: index)
    }
    #expect(try judge(lines).contains(violation))
  }

  @Test func whatIsNoFactIsRefused() {
    #expect(throws: (any Error).self) { try judge([#"{"at":0,"fact":{"flies":{}}}"#]) }
    for moment in [-1, 86_400_001, Int.min, Int.max] {
      #expect(throws: ScheduleError.self) { try judge([#"{"at":\#(moment),"fact":{"clientStarted":{}}}"#]) }
    }
    let disordered = [2, 1].map { #"{"at":\#($0),"fact":{"clientStarted":{}}}"# }
    #expect(throws: ScheduleError.self) { try judge(disordered) }
  }

  /// Violations, and no trap.
  @Test func numbersAtTheirBoundsAreJudged() throws {
    for number in [Int64.min, .max] {
      let facts = [
        #"{"appended":{"sequence":\#(number),"fence":\#(number),"turn":"t","type":"x","body":""}}"#,
        #"{"appended":{"sequence":1,"fence":1,"turn":"t","type":"x","body":""}}"#,
        #"{"clientRestored":{"cursor":"\#(number)","turn":"t","text":""}}"#,
        #"{"eventApplied":{"id":"\#(number)","type":"x"}}"#, #"{"backendPaused":{"_0":0,"for":\#(number)}}"#,
      ]
      #expect(try !judge(facts.map { #"{"at":0,"fact":\#($0)}"# }).isEmpty)
    }
  }
}
