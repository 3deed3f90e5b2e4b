import Foundation
import ResolveKitCore

/// The methods of a schema that codex generates, with params for each.
struct SchemaMethods {
  /// The first params are what the schema demands; the others are broken.
  private(set) var methods: [(method: String, params: [JSONValue])] = []
  private let definitions: JSONObject

  init(file: String) throws {
    let json = try JSONValue(parsing: Array(Data(contentsOf: URL(fileURLWithPath: file))))
    let members = json.objectValue ?? [:]
    definitions = members["definitions"]?.objectValue ?? [:]
    for alternative in members["oneOf"]?.arrayValue ?? [] {
      let properties = alternative.objectValue?["properties"]?.objectValue ?? [:]
      guard let method = properties["method"]?.objectValue?["enum"]?.arrayValue?.first?.stringValue else { continue }
      let params = properties["params"].map { example($0, depth: 0) } ?? .null
      methods.append((method, [params, .null, [:], [], ["threadId": 1, "item": [:], "turn": []]]))
    }
  }

  /// A value that a schema allows, with its required members alone.
  private func example(_ schema: JSONValue, depth: Int) -> JSONValue {
    guard depth < 20, let members = schema.objectValue else { return .null }
    if let name = members["$ref"]?.stringValue?.split(separator: "/").last {
      return example(definitions[String(name)] ?? .null, depth: depth + 1)
    }
    if let value = members["enum"]?.arrayValue?.first { return value }
    // What is required beside the alternatives is required too.
    var made = JSONObject()
    for word in ["allOf", "oneOf", "anyOf"] {
      guard let first = members[word]?.arrayValue?.first else { continue }
      let value = example(first, depth: depth + 1)
      guard let object = value.objectValue else { return value }
      made.merge(object) { own, _ in own }
    }
    let type = members["type"]?.stringValue ?? members["type"]?.arrayValue?.first?.stringValue
    switch type {
    case "string": return "text"
    case "integer", "number": return 1
    case "boolean": return true
    case "array": return []
    case "null": return .null
    default:
      let properties = members["properties"]?.objectValue ?? [:]
      for name in members["required"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
        made[name] = example(properties[name] ?? .null, depth: depth + 1)
      }
      return .object(made)
    }
  }
}
