/// Any JSON value. Numbers are `Double`, so integers beyond 2^53 lose precision.
public enum JSONValue: Hashable, Sendable {
  /// A string, its escapes resolved.
  case string(String)
  /// A number, as the nearest `Double`.
  case number(Double)
  /// `true` or `false`.
  case bool(Bool)
  /// An object; a name that came twice has its last value.
  case object(JSONObject)
  /// An array.
  case array([JSONValue])
  /// `null`, which is not the same as a member that is missing.
  case null
}

/// A JSON object: the arguments of a tool, a schema, a payload.
public typealias JSONObject = [String: JSONValue]

extension JSONValue {
  package var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  package var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  package var numberValue: Double? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The number as an integer, if it is one exactly.
  package var integerValue: Int? {
    if case .number(let value) = self { Int(exactly: value) } else { nil }
  }

  package var objectValue: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  package var arrayValue: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  package var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension JSONValue {
  /// Whether arrays and objects are nested beyond the limit; looks no deeper than that.
  package func isNestedDeeper(than limit: Int) -> Bool {
    switch self {
    case .string, .number, .bool, .null: false
    case .array(let elements): limit <= 0 || elements.contains { $0.isNestedDeeper(than: limit - 1) }
    case .object(let members): limit <= 0 || members.values.contains { $0.isNestedDeeper(than: limit - 1) }
    }
  }
}
