import Foundation
import LinkEmulator
import LinkModel
import Testing

@Suite struct PacketLogTests {
  private func entry(
    _ number: Int, entered: Int64 = 0, due: Int64? = nil, _ verdict: PacketLogEntry.Verdict = .delivered,
    _ cause: PacketLogEntry.Cause = .none
  ) -> PacketLogEntry {
    PacketLogEntry(
      number: number, direction: .toServer, transport: .udp, bytes: 100, entered: entered, due: due, verdict: verdict,
      cause: cause)
  }

  @Test func theCSVHoldsALineForEachEntry() throws {
    var delivered = entry(0, entered: 5, due: 25_000_005)
    delivered.left = 25_040_005
    delivered.queuedBytes = 300
    let log = PacketLog(entries: [delivered, entry(1, entered: 9, .dropped, .queueFull)])
    let folder = try TemporaryFolder()
    try log.writeCSV(to: folder.path("log.csv"))
    let lines = try folder.text("log.csv").split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines == [
        "number,direction,protocol,bytes,in_ns,due_ns,out_ns,verdict,cause,queued_bytes",
        "0,toServer,udp,100,5,25000005,25040005,delivered,none,300",
        "1,toServer,udp,100,9,,,dropped,queueFull,0",
        "",
      ])
    #expect(log.lateness.count == 1)
    #expect(log.lateness.maximumMicroseconds == 40)
  }

  @Test func aLogThatCannotBeWrittenSaysWhere() throws {
    let error = #expect(throws: EmulatorError.self) {
      try PacketLog(entries: []).writeCSV(to: "/proc/no/such/log.csv")
    }
    #expect(error?.code == .file)
    #expect(error?.message.contains("/proc/no/such/log.csv") == true)
  }

  @Test func bothCopiesOfAPacketGetTheirOwnTime() {
    var recorder = PacketRecorder(limit: 10, capture: nil)
    recorder.entered([entry(0, due: 10), entry(0, due: 30, .delivered, .duplicated)], bytes: [])
    recorder.entered([entry(1, due: 20)], bytes: [])
    recorder.left(number: 0, due: 30, direction: .toServer, bytes: [], at: 31)
    recorder.left(number: 1, due: 20, direction: .toServer, bytes: [], at: 22)
    recorder.left(number: 0, due: 10, direction: .toServer, bytes: [], at: 13)
    #expect(recorder.finished().map(\.left) == [13, 31, 22])
  }

  @Test func whatIsOnTheLinkAtTheEndIsUnfinished() {
    var recorder = PacketRecorder(limit: 10, capture: nil)
    recorder.entered([entry(0, due: 10)], bytes: [])
    recorder.entered([entry(1, .dropped, .loss)], bytes: [])
    recorder.entered([entry(2, due: 20)], bytes: [])
    recorder.left(number: 0, due: 10, direction: .toServer, bytes: [], at: 11)
    #expect(recorder.finished().map(\.verdict) == [.delivered, .dropped, .unfinished])
  }

  @Test func afterItsLimitTheLogCountsWhatItLeavesOut() {
    var recorder = PacketRecorder(limit: 2, capture: nil)
    for number in 0..<5 { recorder.entered([entry(number, due: 10)], bytes: []) }
    recorder.left(number: 4, due: 10, direction: .toServer, bytes: [], at: 11)
    #expect(recorder.finished().map(\.number) == [0, 1])
    #expect(recorder.unloggedCount == 3)
  }

  @Test func aListOfManyChunksKeepsItsOrder() {
    var list = ChunkedList<Int>()
    for value in 0..<20_000 { list.append(value) }
    list[8_192] = -1
    var expected = Array(0..<20_000)
    expected[8_192] = -1
    #expect(list.joined() == expected)
    #expect(list[19_999] == 19_999)
  }

  @Test func percentilesAreThoseOfTheNearestRank() {
    let delays = DelayDistribution(nanoseconds: (1...1_000).reversed().map { Int64($0) * 1_000 })
    #expect(delays.count == 1_000)
    #expect(delays.p50Microseconds == 500)
    #expect(delays.p99Microseconds == 990)
    #expect(delays.p999Microseconds == 999)
    #expect(delays.maximumMicroseconds == 1_000)
    #expect(DelayDistribution(nanoseconds: []).maximumMicroseconds == 0)
  }
}
