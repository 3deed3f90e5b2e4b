import Foundation
import ResolveKitCore

/// PyPI's `jsonschema` as an independent judge of schemas and of what they accept.
enum JSONSchemaValidator {
  /// The first interpreter that has the library with the dialect 2020-12; nil where none has.
  static let interpreter: String? = ["/usr/bin/python3", "/usr/bin/env"].first { candidate in
    (try? run(candidate, ["-c", "from jsonschema import Draft202012Validator"])) != nil
  }

  private static let script = #"""
    import datetime, json, re, sys
    from jsonschema import Draft202012Validator, FormatChecker

    # The formats are assertions here, by the RFCs' grammars: which of them the library knows depends on what else is
    # installed.
    formats = FormatChecker(formats=())

    @formats.checks("date-time", raises=ValueError)
    def is_date_time(text):  # RFC 3339 § 5.6
        if not isinstance(text, str):
            return True
        match = re.fullmatch(r"(.{10})T([01]\d|2[0-3])(:[0-5]\d){2}(\.\d+)?(Z|[-+]([01]\d|2[0-3]):[0-5]\d)", text, re.A)
        return bool(match) and bool(datetime.date.fromisoformat(match[1]))

    @formats.checks("uri")
    def is_uri(text):  # RFC 3986 § 3
        if not isinstance(text, str):
            return True
        characters = r"(?:[-A-Za-z0-9._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*"
        host = r"(?:\[[0-9a-f:]+\]|(?:[-A-Za-z0-9._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)"
        authority = r"//(?:(?:[-A-Za-z0-9._~!$&'()*+,;=:]|%[0-9A-Fa-f]{2})*@)?" + host + r"(?::\d*)?(?=[/?#]|$)"
        pattern = r"[A-Za-z][-+.A-Za-z0-9]*:(?:" + authority + r"|(?!//))" + characters + r"(?:#" + characters + r")?"
        return bool(re.fullmatch(pattern, text))

    cases = json.load(open(sys.argv[1], encoding="utf-8"))
    schema = cases["schema"]
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema, format_checker=formats)
    print(json.dumps([validator.is_valid(json.loads(text)) for text in cases["instances"]]))
    """#

  struct Failure: Error { let text: String }

  /// Which instances, as JSON texts, the schema accepts.
  /// - Throws: Where there is no validator, and where the schema itself is none of the dialect 2020-12.
  static func accepted(_ instances: [String], by schema: JSONObject) throws -> [Bool] {
    let file = FileManager.default.temporaryDirectory.appending(component: "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let cases: JSONValue = ["schema": .object(schema), "instances": .array(instances.map { .string($0) })]
    try Data(cases.serialized()).write(to: file)
    guard let interpreter else { throw Failure(text: "no python3 has the library jsonschema") }
    let output = try run(interpreter, ["-c", script, file.path(percentEncoded: false)])
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
