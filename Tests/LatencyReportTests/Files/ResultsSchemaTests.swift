import Foundation
import LatencyReport
import LinkModel
import Testing

/// Validates with Python's `jsonschema`, an implementation that others wrote.
@Suite struct ResultsSchemaTests {
  private static let hasValidator = run(["-c", "import jsonschema"]).status == 0
  private static let validate = """
    import json, sys, jsonschema
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    errors = list(jsonschema.Draft202012Validator(schema).iter_errors(json.load(open(sys.argv[2]))))
    for error in errors[:5]: print(error.json_path, error.message[:200])
    sys.exit(3 if errors else 0)
    """

  @Test func itIsJSON() throws {
    let schema = try #require(
      JSONSerialization.jsonObject(with: Data(ResultsSchema.text.utf8)) as? [String: Any])
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["$defs"] is [String: Any])
  }

  @Test(.enabled(if: hasValidator, "python3 has no package jsonschema"))
  func resultsAreAsTheSchemaSays() throws {
    var full = SampleExperiment.clear
    full.companions = [CompanionExperiment(full)]
    full.budgets = [
      BudgetOutcome(arm: "h3", metric: .excessP99, limit: 1, value: nil, isKept: false),
      BudgetOutcome(arm: "h3", metric: .excessP95, limit: 1, value: 2.5, isKept: false),
    ]
    full.plots.timelines[0].stalls = [PlotData.TimelineStall(stream: 0, from: 1, to: 200)]
    full.plots.timelines[0].events[0].received = nil
    full.scenario.link.rebinding = Rebinding(firstMilliseconds: 1000)
    let empty = ExperimentAnalysis.results(SampleExperiment.description(arms: []), runs: [])
    for results in [full, empty] {
      let (status, output) = try validate(JSONEncoder().encode(results))
      #expect(status == 0, "\(output)")
    }
  }

  @Test(
    .enabled(if: hasValidator, "python3 has no package jsonschema"),
    arguments: [
      (#""version":2"#, #""version":1"#), (#""isControl":false"#, #""isControl":0"#),
      (#""finding":"armBetter""#, #""finding":"great""#), (#""metric":"excessP95""#, #""metric":"excess""#),
      (#""rule":"#, #""rules":"#), (#""question":"#, #""extra":1,"question":"#),
    ])
  func whatIsOtherwiseIsRefused(_ row: (right: String, wrong: String)) throws {
    let text = String(decoding: try JSONEncoder().encode(SampleExperiment.clear), as: UTF8.self)
    let wrong = text.replacingOccurrences(of: row.right, with: row.wrong)
    #expect(wrong != text)
    #expect(try validate(Data(wrong.utf8)).status == 3)
  }

  private func validate(_ results: Data) throws -> (status: Int32, output: String) {
    var answer: (status: Int32, output: String) = (-1, "")
    try withTemporaryFolder { folder in
      let schema = folder.appendingPathComponent(ResultsSchema.name)
      let file = folder.appendingPathComponent(ResultsFile.name)
      try Data(ResultsSchema.text.utf8).write(to: schema)
      try results.write(to: file)
      answer = Self.run(["-c", Self.validate, schema.path, file.path])
    }
    return answer
  }

  private static func run(_ arguments: [String]) -> (status: Int32, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    process.standardOutput = output
    process.standardError = output
    do { try process.run() } catch { return (-1, "\(error)") }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
