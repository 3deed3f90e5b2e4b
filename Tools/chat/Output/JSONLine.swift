import ResolveKitCore

/// One JSON object on one line, its names in the order in which they were given.
struct JSONLine {
  private var members: [String] = []

  init(kind: String) {
    add("kind", .string(kind))
  }

  mutating func add(_ name: String, _ value: JSONValue) {
    add(name, text: value.visibleText)
  }

  /// A value by its JSON text.
  mutating func add(_ name: String, text: String) {
    members.append(JSONValue.string(name).jsonText + ":" + text)
  }

  /// An integer written in full: a JSON number in `JSONValue` keeps 53 bits only.
  mutating func add(_ name: String, integer: UInt64) {
    add(name, text: String(integer))
  }

  var text: String {
    "{" + members.joined(separator: ",") + "}\n"
  }
}
