import Foundation
import ResolveKitCore

/// PyPI's `jsonschema` as an independent judge of schemas and of what they accept.
enum JSONSchemaValidator {
  /// The first interpreter that has the library with the dialect 2020-12; nil where none has.
  static let interpreter: String? = ["/usr/bin/python3", "/usr/bin/env"].first { candidate in
    (try? run(candidate, ["-c", "from jsonschema import Draft202012Validator"])) != nil
  }

  private static let script = """
    import json, sys
    from jsonschema import Draft202012Validator
    cases = json.load(open(sys.argv[1], encoding="utf-8"))
    schema = cases["schema"]
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    print(json.dumps([validator.is_valid(json.loads(text)) for text in cases["instances"]]))
    """

  struct Failure: Error { let text: String }

  /// Which instances, as JSON texts, the schema accepts.
  /// - Throws: Where the schema itself is none of the dialect 2020-12.
  static func accepted(_ instances: [String], by schema: JSONObject) throws -> [Bool] {
    let file = FileManager.default.temporaryDirectory.appending(component: "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let cases: JSONValue = ["schema": .object(schema), "instances": .array(instances.map { .string($0) })]
    try Data(cases.serialized()).write(to: file)
    guard let interpreter else { return [] }
    let output = try run(interpreter, ["-c", script, file.path()])
    return try JSONDecoder().decode([Bool].self, from: output)
  }

  private static func run(_ program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = program.hasSuffix("env") ? ["python3"] + arguments : arguments
    let output = Pipe()
    let faults = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = faults
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    let text = faults.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(text: String(decoding: text, as: UTF8.self)) }
    return data
  }
}
