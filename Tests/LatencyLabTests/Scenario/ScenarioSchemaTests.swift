import Foundation
import Testing

@testable import latency_lab

/// The schema against an implementation that is not ours: Python's jsonschema.
@Suite struct ScenarioSchemaTests {
  private static func python(_ program: String, _ arguments: [String]) -> (status: Int32, output: String)? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-W", "ignore", "-c", program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    guard (try? process.run()) != nil else { return nil }
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  static let hasValidator = python("from jsonschema import Draft202012Validator", [])?.status == 0

  /// Prints the number of errors of each document, all in one process.
  private static let program = """
    import json, sys
    from jsonschema import Draft202012Validator
    schema, documents = (json.load(open(path)) for path in sys.argv[1:])
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    print(json.dumps([len(list(validator.iter_errors(document))) for document in documents]))
    """

  private func errors(in documents: [JSONNode]) throws -> [Int] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schema-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let schema = folder.appendingPathComponent("schema.json")
    let file = folder.appendingPathComponent("documents.json")
    try Data(ScenarioSchema.text.utf8).write(to: schema)
    try Data(JSONNode.list(documents).document.utf8).write(to: file)
    let result = try #require(Self.python(Self.program, [schema.path, file.path]))
    #expect(result.status == 0, "\(result.output)")
    return try JSONDecoder().decode([Int].self, from: Data(result.output.utf8))
  }

  @Test(.enabled(if: hasValidator, "python3 has no jsonschema (apt install python3-jsonschema)"))
  func everyPresetMatchesTheSchema() throws {
    let documents = try Presets.all.map { try ScenarioFile.document(of: $0) }
    #expect(try errors(in: documents) == documents.map { _ in 0 })
  }

  /// The fields' rules against each other are beyond a schema, so those rows are left out.
  @Test(.enabled(if: hasValidator, "python3 has no jsonschema (apt install python3-jsonschema)"))
  func theSchemaRefusesWhatTheReaderRefuses() throws {
    let beyond = ["an upper-case name", "fields that do not fit each other", "a workload without an event"]
    let mistakes = ScenarioFileTests.mistakes.filter { !beyond.contains($0.name) }
    let documents = try mistakes.map {
      try JSONNode(json: Data(ScenarioFileTests.least.replacing($0.find, with: $0.replace).utf8))
    }
    let errors = try errors(in: documents)
    for (mistake, count) in zip(mistakes, errors) { #expect(count > 0, "\(mistake.name)") }
    #expect(try self.errors(in: [JSONNode(json: Data(ScenarioFileTests.least.utf8))]) == [0])
  }
}
