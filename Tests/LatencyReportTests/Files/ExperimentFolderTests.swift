import Foundation
import LatencyReport
import LinkModel
import Testing

@Suite struct ExperimentFolderTests {
  private let runs = SampleExperiment.runs(["h2", "h3"], repetitions: 6) { arm, repetition in
    (arm == "h2" ? 40 : 10) + Double(repetition)
  }

  @Test func aReportCanBeMadeAgainFromTheFolder() throws {
    try withTemporaryFolder { parent in
      let folder = ExperimentFolder(parent.appendingPathComponent("deep/out"))
      let description = SampleExperiment.description(budgets: [Budget(metric: .excessP95, limit: 30)])
      try folder.create()
      try folder.write(description)
      var generator = LinkGenerator(seed: 3)
      for run in runs.shuffled(using: &generator) { try folder.write(run) }
      try folder.write(discards: [
        DiscardedRun(arm: "h3", repetition: 6, reason: .notMade, rule: "the client ended with status 1")
      ])
      var seen = 0
      let results = try folder.results { _, _ in seen += 1 }
      #expect(seen == 14)
      var expected = ExperimentAnalysis(description)
      for run in runs { expected.add(run) }
      expected.discard(
        DiscardedRun(arm: "h3", repetition: 6, reason: .notMade, rule: "the client ended with status 1"))
      #expect(
        results == expected.results { arm, repetition in runs.first { $0.arm == arm && $0.repetition == repetition } })
      #expect(try folder.readDescription() == description)
      #expect(results.plots.timelines.count == 2)
    }
  }

  @Test func aFolderThatIsNoneIsRefused() throws {
    try withTemporaryFolder { parent in
      let error = #expect(throws: FileError.self) { try ExperimentFolder(parent).results() }
      #expect(error?.description.contains("experiment.json") == true)
      let folder = ExperimentFolder(parent)
      try folder.create()
      try folder.write(SampleExperiment.description())
      #expect(try folder.results().comparisons.isEmpty)
      try Data("{".utf8).write(to: parent.appendingPathComponent("runs/h3-0000.json"))
      let broken = #expect(throws: FileError.self) { try folder.results() }
      #expect(broken?.description.contains("h3-0000.json") == true)
    }
  }

  @Test func anArmsNameCannotLeaveTheFolder() throws {
    try withTemporaryFolder { parent in
      let folder = ExperimentFolder(parent.appendingPathComponent("out"))
      try folder.create()
      var run = runs[0]
      run.arm = "../../x"
      try folder.write(run)
      #expect(try folder.readRun(arm: "../../x", repetition: -1) == run)
      #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path) == ["out"])
    }
  }

  @Test func eventsAreALineEach() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent(EventsCSVWriter.name)
      var writer = try EventsCSVWriter(url, oneWayDelayMilliseconds: 25)
      try writer.write(
        Sample.run(Sample.client(events: Sample.stream(latencies: [26.5, nil])), repetition: -1), discarded: true)
      try writer.write(
        Sample.run(Sample.client(events: Sample.stream(2, latencies: [25])), arm: #"a,"b""#), discarded: false)
      try writer.close()
      #expect(
        try String(contentsOf: url, encoding: .utf8) == """
          arm,repetition,discarded,stream,sequence,scheduled_ns,written_ns,received_ns,excess_ms
          h3,-1,1,0,0,0,0,26500000,1.5
          h3,-1,1,0,1,20000000,,,
          "a,""b""\",0,0,2,0,0,0,25000000,0.0

          """)
    }
  }

  @Test func moreEventsThanOnePieceAreAllThere() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent(EventsCSVWriter.name)
      let run = Sample.run(Sample.client(events: Sample.stream(latencies: Array(repeating: 25, count: 5000))))
      var writer = try EventsCSVWriter(url, oneWayDelayMilliseconds: 25)
      for _ in 0..<3 { try writer.write(run, discarded: false) }
      try writer.close()
      let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == 15_001)
      #expect(lines.last == "h3,0,0,0,4999,99980000000,99980000000,100005000000,0.0")
    }
  }
}
