import Testing

@testable import StreamTransport

@Suite struct QlogRetentionTests {
  @Test func theOldestThatNobodyWritesGoFirst() {
    var retention = QlogRetention(maximumFiles: 3, maximumBytes: 100)
    #expect(retention.begin([("a", 10), ("b", 10), ("c", 10), ("d", 10)]) == ["a"])
    var answer = retention.makeRoomForTrace()
    #expect(answer.removed == ["b"] && answer.hasRoom)
    retention.didOpen("e")
    answer = retention.write(75, to: "e")
    #expect(answer.removed.isEmpty && answer.hasRoom && retention.byteCount == 95)
    answer = retention.write(10, to: "e")
    #expect(answer.removed == ["c"] && answer.hasRoom && retention.byteCount == 95)
    answer = retention.write(20, to: "e")
    #expect(answer.removed == ["d"] && !answer.hasRoom && retention.byteCount == 85)
  }

  @Test func whileAllAreWrittenNoOtherIsBegun() {
    var retention = QlogRetention(maximumFiles: 2, maximumBytes: .max)
    for name in ["a", "b"] {
      let answer = retention.makeRoomForTrace()
      #expect(answer.removed.isEmpty && answer.hasRoom)
      retention.didOpen(name)
    }
    var answer = retention.makeRoomForTrace()
    #expect(answer.removed.isEmpty && !answer.hasRoom)
    retention.didClose("b")
    answer = retention.makeRoomForTrace()
    #expect(answer.removed == ["b"] && answer.hasRoom)
  }

  @Test func nothingIsKeptWhereNothingMayBe() {
    var retention = QlogRetention(maximumFiles: 0, maximumBytes: 0)
    #expect(retention.begin([("a", 1)]) == ["a"])
    let answer = retention.makeRoomForTrace()
    #expect(!answer.hasRoom)
    #expect(QlogSampling().retention == nil)
  }

  @Test(arguments: [
    ("0a1b_server.sqlog", true), ("_server.sqlog", true), ("0a1b_server_2.sqlog", true), ("0a1b_client.sqlog", false),
    ("0a1b_server.sqlog.gz", false), ("x_server.sqlog", false), ("server.sqlog", false), ("../0a_server.sqlog", false),
  ])
  func tracesOfServersAreKnownByTheirNames(_ name: String, _ isTrace: Bool) {
    #expect(QlogRetention.isTrace(name) == isTrace)
  }
}
