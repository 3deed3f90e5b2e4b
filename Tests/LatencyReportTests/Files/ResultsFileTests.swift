import Foundation
import LinkModel
import Testing

@testable import LatencyReport

@Suite struct ResultsFileTests {
  @Test func whatIsWrittenIsReadAgain() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent(ResultsFile.name)
      var results = SampleExperiment.clear
      results.budgets = Budget(arm: "h3", metric: .excessP99, limit: 1).outcomes(results.arms)
      #expect(results.budgets.count == 1)
      try ResultsFile.write(results, to: url)
      #expect(try ResultsFile.read(url) == results)
    }
  }

  /// A run that was kept is thrown away by the rules that the file has: nothing that is said counts it any more.
  @Test func whatTheRulesDiscardNowIsNotCounted() throws {
    var stored = SampleExperiment.clear
    stored.budgets = [BudgetOutcome(arm: "h2", metric: .excessMax, limit: 47, value: 1, isKept: true)]
    let place = try #require(stored.arms.firstIndex { $0.name == "h2" })
    let arm = stored.arms[place]
    var runs = arm.runs
    for run in runs.indices where runs[run].repetition < 5 { runs[run].values[.linkLatenessP99] = 3 }
    stored.arms[place] = ArmResults(
      name: arm.name, label: arm.label, client: arm.client, server: arm.server, isControl: arm.isControl,
      notes: arm.notes, runs: runs, realisedLoss: arm.realisedLoss)
    let results = try ResultsFile.decode(JSONEncoder().encode(stored))
    #expect(results.arms.first { $0.name == "h2" }?.runs.count == 5)
    #expect(results.discarded.count { $0.reason == .linkLate && $0.arm == "h2" } == 5)
    // The median of all ten is 45.5 ms, of the five that are left 48.
    #expect(results.budgets.map(\.isKept) == [false] && isNear(results.budgets.first?.value, 48))
    #expect(results.plots.distributions.map(\.arm) == ["h3"])
    #expect(results.plots.timelines.allSatisfy { $0.arm == "h3" || $0.repetition >= 5 })
    #expect(results.header.provenance.settings.contains { $0.value.contains("distributions are left out") })
  }

  @Test(arguments: [
    (#""repetition":3,"#, #""repetition":-3,"#, "counted from 0"),
    (#""repetition":3,"#, #""repetition":4,"#, "there twice"),
    (#""events":40"#, #""events":-40"#, "-40 events"),
    (#""attributedEvents":"#, #""attributedEvents":4"#, "assigned to"),
    (#""lostEvents":0"#, #""lostEvents":41"#, "never came"),
    (#""excessP50":"#, #""excessP50":9"#, "is larger than its"),
    (#""excessMax":"#, #""excessMax":-"#, "largest excess latency is -"),
    (#""excessMax":"#, #""excessMax":1e1"#, "can't be"),
    (#""late50":0"#, #""late50":101"#, "101 %"),
  ])
  func aRunThatCannotBeIsRefused(_ row: (right: String, wrong: String, words: String)) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(SampleExperiment.clear), as: UTF8.self)
    let runs = try #require(text.firstRange(of: #""runs":["#))
    let place = try #require(text[runs.upperBound...].firstRange(of: row.right))
    let error = #expect(throws: FileError.self) {
      _ = try ResultsFile.decode(Data(text.replacingCharacters(in: place, with: row.wrong).utf8), name: "x.json")
    }
    #expect(error?.description.contains(row.words) == true, "\(error?.description ?? "")")
    #expect(error?.description.hasPrefix("'x.json' holds what was not measured: the run ") == true)
  }

  /// Whatever a file says of its runs, the runs decide.
  @Test func whatAFileSaysOfItsRunsIsNotBelieved() throws {
    var text = String(decoding: try JSONEncoder().encode(SampleExperiment.clear), as: UTF8.self)
    let verdict = SampleExperiment.clear.header.verdict
    text = text.replacingOccurrences(of: "lower than HTTP", with: "miles lower than HTTP")
    text = text.replacingOccurrences(of: #""finding":"undecided""#, with: #""finding":"armBetter""#)
    let results = try ResultsFile.decode(Data(text.utf8))
    #expect(results.header.verdict == verdict)
    #expect(results.comparisons == SampleExperiment.clear.comparisons)
  }

  /// The files of the first version that this repository keeps: all are read, and nothing of too few pairs is judged.
  @Test func keptResultsOfTheFirstVersionAreReadAndJudgedAgain() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Tools/latency-lab/results")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent($0 + "/" + ResultsFile.name).path)
    }
    #expect(names.count >= 18)
    for name in names {
      let results = try ResultsFile.read(folder.appendingPathComponent(name + "/" + ResultsFile.name))
      for comparison in results.comparisons {
        #expect(
          (comparison.judgement.finding == .tooFew) == (comparison.differences.count < 10),
          "\(name), \(comparison.metric)")
        if let difference = comparison.judgement.difference {
          #expect(abs(difference.median) >= comparison.noiseFloor && !difference.interval.contains(0), "\(name)")
        }
      }
    }
  }

  @Test(arguments: [
    ("", "not a results.json"), ("rubbish", "not a results.json"), ("{}", "'version'"), ("[]", "not a results.json"),
    ("null", "not a results.json"), (#"{"version":1}"#, "has no 'header'"), (#"{"version":3}"#, "up to version 2"),
    (#"{"version":0}"#, "there never was"), (#"{"version":-3}"#, "there never was"), (#"{"version":"1"}"#, "'version'"),
    (#"{"version":1e300}"#, "not a results.json"), (#"{"version":1,"header":[]}"#, "'header'"),
    ("\u{0}\u{1}", "not a results.json"),
  ])
  func rubbishIsRefusedWithAReason(_ row: (text: String, words: String)) {
    let error = #expect(throws: FileError.self) { try ResultsFile.decode(Data(row.text.utf8)) }
    #expect(error?.description.contains(row.words) == true, "\(error?.description ?? "")")
  }

  @Test func deepNestingIsRefusedAndDoesNotOverflow() {
    let text = String(repeating: "[", count: 100_000)
    #expect(throws: FileError.self) { try ResultsFile.decode(Data(text.utf8)) }
  }

  @Test func aFileCutAnywhereIsRefused() throws {
    var results = SampleExperiment.clear
    results.plots = PlotData()
    let data = try JSONEncoder().encode(results)
    for length in stride(from: 0, to: data.count, by: max(1, data.count / 40)) {
      #expect(throws: FileError.self) { try ResultsFile.decode(data.prefix(length)) }
    }
  }

  @Test func aWrongFieldIsNamedByItsPath() throws {
    let text = String(decoding: try JSONEncoder().encode(SampleExperiment.clear), as: UTF8.self)
    let wrong = text.replacingOccurrences(of: #""isControl":false"#, with: #""isControl":3"#)
    let error = #expect(throws: FileError.self) { try ResultsFile.decode(Data(wrong.utf8)) }
    #expect(error?.description.contains("arms[0].isControl") == true, "\(error?.description ?? "")")
  }

  @Test func whatCannotBeReadOrWrittenSaysWhere() {
    let nowhere = URL(fileURLWithPath: "/nowhere/at/all/results.json")
    let reading = #expect(throws: FileError.self) { try ResultsFile.read(nowhere) }
    #expect(reading?.description.contains("/nowhere/at/all/results.json") == true)
    let writing = #expect(throws: FileError.self) { try ResultsFile.write(SampleExperiment.clear, to: nowhere) }
    #expect(writing?.description.contains("cannot be written") == true)
    var results = SampleExperiment.clear
    results.header.provenance.loadBefore = .nan
    #expect(throws: FileError.self) { try ResultsFile.write(results, to: nowhere) }
  }
}

func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("latency-report-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder)
}
