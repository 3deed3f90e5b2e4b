/// The requests that a `Decodable` made of a decoder.
final class SchemaRecording {
  private struct Member {
    let name: String
    let schema: () -> JSONValue
  }

  private enum Shape {
    case nothing
    case object
    case array
    case value(JSONValue)
  }

  private var shape = Shape.nothing
  private var members: [Member] = []
  private var optionalNames: Set<String> = []
  private var elements: [() -> JSONValue] = []
  /// Whether the end was looked for, as one does with any number of elements.
  var asksForEnd = false

  func becomeObject() { shape = .object }
  func becomeArray() { shape = .array }
  func becomeValue(_ schema: JSONValue) { shape = .value(schema) }

  /// Adds a member; if it is asked for twice, the first answer counts.
  func addMember(_ name: String, _ schema: @escaping () -> JSONValue) {
    guard !members.contains(where: { $0.name == name }) else { return }
    members.append(Member(name: name, schema: schema))
  }

  /// The member may be absent.
  func addOptionalName(_ name: String) { optionalNames.insert(name) }

  func addElement(_ schema: @escaping () -> JSONValue) { elements.append(schema) }

  var elementCount: Int { elements.count }

  var schema: JSONValue {
    switch shape {
    case .nothing: return ["type": "object"]
    case .value(let schema): return schema
    case .object:
      var result: JSONObject = ["type": "object"]
      result["properties"] = .object(
        JSONObject(members.map { ($0.name, $0.schema()) }, uniquingKeysWith: { first, _ in first }))
      result["required"] = .array(members.map(\.name).filter { !optionalNames.contains($0) }.map { .string($0) })
      return .object(result)
    case .array:
      guard let first = elements.first else { return ["type": "array"] }
      if asksForEnd { return ["type": "array", "items": first()] }
      return [
        "type": "array", "prefixItems": .array(elements.map { $0() }), "minItems": .number(Double(elements.count)),
      ]
    }
  }
}
