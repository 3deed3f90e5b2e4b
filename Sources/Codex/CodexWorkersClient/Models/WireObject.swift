import ResolveKitCore

/// A JSON object of the contract, whose servers write the same member as `worker_id` or as `workerId`, and an empty object
/// as `[]`.
struct WireObject {
  let members: JSONObject

  init(_ members: JSONObject) { self.members = members }

  /// Nil for what is no object; an empty array passes for an empty one, since PHP writes it so.
  init?(_ value: JSONValue?) {
    switch value {
    case .object(let members): self.members = members
    case .array(let elements) where elements.isEmpty: members = [:]
    case .array, .string, .number, .bool, .null, nil: return nil
    }
  }

  subscript(name: String) -> JSONValue? { members[name] ?? members[Self.camel(name)] }

  /// A text; nil where it is missing, or another kind of value.
  func string(_ name: String) -> String? { self[name]?.stringValue }

  /// A text that says something; nil for one of white space alone.
  func word(_ name: String) -> String? {
    guard let text = string(name), text.contains(where: { !$0.isWhitespace }) else { return nil }
    return text
  }

  /// A whole number from 0 to 2^53; nil for anything else.
  func count(_ name: String) -> Int64? {
    guard let number = self[name]?.integerValue, (0...(1 << 53)).contains(number) else { return nil }
    return Int64(number)
  }

  func flag(_ name: String) -> Bool? { self[name]?.boolValue }

  /// The object of this name; empty where there is none.
  func object(_ name: String) -> JSONObject { WireObject(self[name])?.members ?? [:] }

  private static func camel(_ name: String) -> String {
    let words = name.split(separator: "_")
    return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
  }
}
