extension Shape {
  /// The same in the words of JSON Schema 2020-12.
  var schema: JSONNode {
    switch self {
    case .text(let most):
      .object(["type": .text("string"), "minLength": .number(1), "maxLength": .number(Double(most))])
    case .flag: .object(["type": .text("boolean")])
    case .number(let range): .object(Self.bounds(range, type: "number"))
    case .integer(let range): .object(Self.bounds(range, type: "integer"))
    case .list(let shape, let range):
      .object([
        "type": .text("array"), "items": shape.schema, "minItems": .number(range.least),
        "maxItems": .number(range.most),
      ])
    case .object(let fields):
      .object(
        Self.members(fields).merging(
          ["required": .list(fields.filter(\.isRequired).map { .text($0.name) })], uniquingKeysWith: { $1 }))
    case .choice(let fields):
      .object(
        Self.members(fields).merging(
          ["minProperties": .number(1), "maxProperties": .number(1)], uniquingKeysWith: { $1 }))
    case .link(let fields):
      .object(Self.members(fields).merging(["oneOf": Self.directions], uniquingKeysWith: { $1 }))
    }
  }

  private static let directions = JSONNode.list([
    .object([
      "required": .list([.text("bothWays")]),
      "not": .object([
        "anyOf": .list([
          .object(["required": .list([.text("toClient")])]), .object(["required": .list([.text("toServer")])]),
        ])
      ]),
    ]),
    .object([
      "required": .list([.text("toClient"), .text("toServer")]),
      "not": .object(["required": .list([.text("bothWays")])]),
    ]),
  ])

  private static func bounds(_ range: NumberRange, type: String) -> [String: JSONNode] {
    [
      "type": .text(type), range.excludesLeast ? "exclusiveMinimum" : "minimum": .number(range.least),
      "maximum": .number(range.most),
    ]
  }

  private static func members(_ fields: [Field]) -> [String: JSONNode] {
    var properties: [String: JSONNode] = [:]
    for field in fields {
      var schema = field.shape.schema
      schema["description"] = .text(field.about)
      properties[field.name] = schema
    }
    return ["type": .text("object"), "properties": .object(properties), "additionalProperties": .flag(false)]
  }
}
