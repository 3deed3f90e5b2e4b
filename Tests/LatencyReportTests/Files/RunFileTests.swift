import Foundation
import LatencyReport
import LinkModel
import Testing

@Suite struct RunFileTests {
  /// Everything that a record can hold, with odd values.
  private var record: RunRecord {
    var packets = [
      Sample.packet(0, .toServer, at: -500, bytes: 1200), Sample.packet(1, at: -470, transport: .tcp, dropped: .loss),
      Sample.packet(2, at: -460, transport: .other), Sample.packet(3, at: 0.000_001, dropped: .queueFull),
    ]
    packets[2].cause = .early
    packets[2].due = nil
    packets.append(packets[2])
    packets[4].cause = .duplicated
    packets[4].verdict = .unfinished
    packets[4].left = nil
    packets[0].queuedBytes = 77
    let reconnects = [
      ClientRecord.Reconnect(stream: 1, noticed: Sample.nanoseconds(3), lastEvent: nil, nextEvent: Sample.start)
    ]
    var client = Sample.client(
      events: Sample.stream(latencies: [25, nil, 26.000_001]), reconnects: reconnects, duplicates: 2, failure: "cut off"
    )
    client.events[1].written = Sample.nanoseconds(21)
    var run = Sample.run(client, arm: "sh -c 'x/y', ü", repetition: 3, packets: packets, serverCPUSeconds: 0.25)
    run.seed = .max
    run.toolSequence = 2
    run.load = MachineLoad(stealPercent: 0.5, pressurePercent: nil)
    return run
  }

  @Test func whatIsWrittenIsReadAgainToTheNanosecond() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("run.json")
      try RunFile.write(record, to: url)
      #expect(try RunFile.read(url) == record)
    }
  }

  @Test func extremesSurvive() throws {
    var odd = record
    odd.client.start = .max
    odd.client.events[0].scheduled = .min
    odd.client.events[0].received = .max
    odd.packets[0].entered = .min
    odd.packets[1].number = .max
    odd.packets[2].number = .min
    #expect(try RunFile.decode(JSONEncoder().encode(RunFile(odd)), name: "run.json") == odd)
  }

  @Test func aRunIsSmall() throws {
    let events = (0..<8).flatMap { Sample.stream($0, latencies: (0..<250).map { 25.1 + Double($0 % 13) / 7 }) }
    let packets = (0..<5000).map {
      Sample.packet($0, $0.isMultiple(of: 3) ? .toServer : .toClient, at: Double($0) * 1.017)
    }
    let record = Sample.run(Sample.client(events: events), packets: packets)
    let bytes = try JSONEncoder().encode(RunFile(record)).count
    #expect(bytes < 5000 * 36 + 2000 * 30, "\(bytes) bytes")
    #expect(bytes < (try JSONEncoder().encode(record).count) / 4)
  }

  @Test(arguments: [
    (#""bytes":[1200,"#, #""bytes":["#, "different lengths"), (#""stream":[0,"#, #""stream":["#, "different lengths"),
    (#""direction":"s"#, #""direction":"x"#, "neither c nor s"), (#""transport":"u"#, #""transport":"x"#, "none of u"),
    (#""unfinished":[4]"#, #""unfinished":[5]"#, "no such packet"),
    (#""unfinished":[4]"#, #""unfinished":[-1]"#, "no such packet"),
    (#""unfinished":[4]"#, #""vanished":[4]"#, "no verdict is 'vanished'"),
    (#""early":[2]"#, #""ghost":[2]"#, "no cause is 'ghost'"), (#""version":1"#, #""version":9"#, "version 9"),
    (#""arm":"#, #""arms":"#, "has no 'arm'"),
  ])
  func rubbishIsRefusedWithAReason(_ row: (right: String, wrong: String, words: String)) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let text = String(decoding: try encoder.encode(RunFile(record)), as: UTF8.self)
    let wrong = text.replacingOccurrences(of: row.right, with: row.wrong)
    #expect(wrong != text)
    let error = #expect(throws: FileError.self) { try RunFile.decode(Data(wrong.utf8), name: "run.json") }
    #expect(error?.description.contains(row.words) == true, "\(error?.description ?? "")")
  }
}
