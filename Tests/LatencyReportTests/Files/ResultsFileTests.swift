import Foundation
import LatencyReport
import LinkModel
import Testing

@Suite struct ResultsFileTests {
  @Test func whatIsWrittenIsReadAgain() throws {
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent(ResultsFile.name)
      var results = SampleExperiment.clear
      results.budgets = [BudgetOutcome(arm: "h3", metric: .excessP99, limit: 1, value: nil, isKept: false)]
      try ResultsFile.write(results, to: url)
      #expect(try ResultsFile.read(url) == results)
    }
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
  @Test func keptResultsOfTheFirstVersionAreReadAndJudgedAnew() throws {
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
