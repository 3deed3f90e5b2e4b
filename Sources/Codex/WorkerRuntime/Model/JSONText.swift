import ResolveKitCore

/// A JSON object that is put together from members, some of which are text already and stay byte for byte as they came.
struct JSONText: Sendable {
  private var members: [UInt8] = []

  /// The object's text.
  var bytes: [UInt8] { [UInt8(ascii: "{")] + members + [UInt8(ascii: "}")] }

  mutating func add(_ name: String, _ value: JSONValue) { add(name, text: value.serialized()) }

  /// Adds a member whose value is JSON text.
  mutating func add(_ name: String, text: [UInt8]) {
    if !members.isEmpty { members.append(UInt8(ascii: ",")) }
    members += JSONValue.string(name).serialized()
    members.append(UInt8(ascii: ":"))
    members += text
  }

  /// An object's text, its names in byte order.
  static func of(_ object: JSONObject) -> [UInt8] { JSONValue.object(object).serialized() }

  /// An array of values that are JSON text.
  static func array(_ elements: [[UInt8]]) -> [UInt8] {
    [UInt8(ascii: "[")] + elements.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
  }

  /// JSON text on one line. A line end in it can only stand between tokens: strings have none unescaped.
  static func onOneLine(_ text: some Collection<UInt8>) -> [UInt8] {
    text.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
  }
}
