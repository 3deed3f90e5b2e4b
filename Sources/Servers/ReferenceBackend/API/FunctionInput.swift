import EventLedger
import Foundation
import ResolveKitCore

/// The body that registers an app's tools.
enum FunctionInput {
  static let limit = 512

  static func read(_ body: JSONBody, now: WallTime) throws(APIError) -> [FunctionRecord] {
    var reader = ObjectReader(try body.object())
    let elements = reader.array("functions", limit: limit, isRequired: true) ?? []
    reader.forbidOthers()
    var functions: [FunctionRecord] = []
    for (index, element) in elements.enumerated() {
      let place: [JSONValue] = ["body", "functions", .number(Double(index))]
      guard let object = element.objectValue else {
        reader.add([
          ValidationIssue(
            type: "model_attributes_type", location: place,
            message: "Input should be a valid dictionary or object to extract fields from", input: element)
        ])
        continue
      }
      var inner = ObjectReader(object, at: place)
      functions.append(function(&inner, now))
      reader.add(inner.issues)
    }
    try reader.check()
    return functions
  }

  private static func function(_ reader: inout ObjectReader, _ now: WallTime) -> FunctionRecord {
    let source = reader.string("source", length: 0...32) ?? "app_inline"
    if source != "app_inline", source != "playbook_pack" {
      reader.report(
        "literal_error", "source", "Input should be 'app_inline' or 'playbook_pack'", input: .string(source))
    }
    let function = FunctionRecord(
      id: UUID().uuidString.lowercased(),
      name: reader.string("name", length: 1...255, isRequired: true) ?? "",
      description: reader.string("description", length: 0...1_000) ?? "",
      parametersSchema: reader.object("parameters_schema") ?? [:], isActive: true,
      timeoutSeconds: reader.integer("timeout_seconds", range: 1...300) ?? 30,
      availability: reader.object("availability") ?? [:], source: source,
      packName: reader.string("pack_name", length: 0...255, null: .absent),
      requiresApproval: reader.bool("requires_approval") ?? true, created: now)
    reader.forbidOthers()
    return function
  }
}
