/// Descriptions, for the model, of an argument's expected form and of what is wrong with one.
enum ArgumentExpectation {
  static func text<Value: Decodable>(of type: Value.Type) -> String {
    text(of: SchemaBuilder(root: "#").schema(of: type))
  }

  private static func text(of schema: JSONValue) -> String {
    let members = schema.objectValue ?? [:]
    if let cases = members["enum"]?.arrayValue {
      let shown = cases.prefix(40).map(\.jsonText).joined(separator: ", ")
      return "one of \(shown)\(cases.count > 40 ? ", …" : "")"
    }
    switch members["type"]?.stringValue {
    case "string": return members["format"]?.stringValue.map { "a string (\($0))" } ?? "a string"
    case "boolean": return "true or false"
    case "number": return "a number" + range(members)
    case "integer": return "an integer" + range(members)
    case "array": return "an array"
    case "object": return "an object"
    case nil, _: return "a value"
    }
  }

  private static func range(_ members: JSONObject) -> String {
    guard let low = members["minimum"] else { return "" }
    if let high = members["maximum"] { return " from \(low.jsonText) to \(high.jsonText)" }
    if let end = members["exclusiveMaximum"] { return " from \(low.jsonText) to below \(end.jsonText)" }
    return ""
  }

  /// The place and the fault; a tool's own `Decodable` may throw any error.
  static func sentence(for error: any Error, argument: String) -> String {
    guard let error = error as? DecodingError else { return "'\(argument)': \(error)" }
    let (context, missing): (DecodingError.Context, (any CodingKey)?) =
      switch error {
      case .keyNotFound(let key, let context): (context, key)
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): (context, nil)
      @unknown default: (DecodingError.Context(codingPath: [], debugDescription: "\(error)"), nil)
      }
    let path = context.codingPath + (missing.map { [$0] } ?? [])
    let place = path.isEmpty ? argument : path.map(\.stringValue).joined(separator: ".")
    return missing == nil
      ? "'\(place)': \(context.debugDescription)" : "'\(place)' is missing: \(context.debugDescription)"
  }
}
