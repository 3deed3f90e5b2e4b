import ResolveKitCore
import TestSupport

/// Writes JSON that a schema mostly accepts, as text, so that numbers can be spelt in every way.
struct InstanceGenerator {
  let root: JSONObject
  var random: SeededGenerator

  private static let integers = [
    "0", "-0", "1", "-1", "3.0", "1e2", "12.50", "127", "128", "-128", "-129", "255", "256", "32767", "65536",
    "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296", "9007199254740993", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "1e300", "-1E+2", "120000e-3", "5e-324",
  ]
  private static let numbers = [
    "0.1", "-2.5e-3", "3.4028235e38", "3.5e38", "-3.4028234663852886e38", "1.7976931348623157e308",
  ]
  private static let strings = [#""""#, #""a""#, #""7""#, #""true""#, #""\u00e9\ud83d\ude00""#, #""low""#, #""x y\n""#]

  private static let dates = [
    #""2026-02-28T23:59:59Z""#, #""2024-02-29T00:00:00.5+05:30""#, #""1969-12-31T00:00:00-11:00""#,
    #""2026-01-02T03:04:05.123456Z""#, #""2026-01-02""#, #""2026-01-02T03:04:05Z and so on""#, #""soon""#,
  ]
  private static let addresses = [
    #""https://example.com/a?b=c#d""#, #""urn:isbn:123""#, #""http://user@example.com:8080/%41""#, #""mailto:x@y.z""#,
    #""http://[::1]/x""#, #""http://a b/""#, #""http://a:port/""#, #""""#, #""relative/path""#,
  ]
  private static let ids = [
    #""6f9619ff-8b86-d011-b42d-00c04fc964ff""#, #""00000000-0000-0000-0000-00000000000A""#, #""6f9619ff""#,
  ]
  private static let encoded = [#""aGk=""#, #""""#, #""YWJj""#, #""YQ==""#, #""YQ""#, #""a-_=""#]
  private static let names = [
    "low", "high", "7", "-3", "100", "123456789012345678901", "true", "0.5", "-12.25", "1", "2",
    "6f9619ff-8b86-d011-b42d-00c04fc964ff", "",
  ]

  mutating func instance() -> String { value(of: .object(root), depth: 0) }

  private mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int.random(in: 0..<list.count, using: &random)]
  }

  private mutating func value(of schema: JSONValue, depth: Int) -> String {
    if random.chance(depth == 0 ? 0.01 : 0.04) { return anything() }
    if case .array(let cases) = schema["enum"] { return pick(cases).jsonText }
    if case .array(let choices) = schema["anyOf"] { return value(of: pick(choices), depth: depth) }
    if case .string(let pointer) = schema["$ref"] { return value(of: resolve(pointer), depth: depth) }
    switch schema["type"] {
    case "string": return text(of: schema)
    case "boolean": return pick(["true", "false"])
    case "integer": return number(among: Self.integers, within: schema)
    case "number": return number(among: Self.integers + Self.numbers, within: schema)
    case "null": return "null"
    case "array":
      let count = depth > 6 ? 0 : Int.random(in: 0...2, using: &random)
      return "[" + (0..<count).map { _ in value(of: schema["items"], depth: depth + 1) }.joined(separator: ",") + "]"
    case "object": return object(schema, depth: depth)
    default: return anything()
    }
  }

  /// Mostly one that will do.
  private mutating func text(of schema: JSONValue) -> String {
    let texts =
      switch schema["format"] {
      case "date-time": Self.dates
      case "uri": Self.addresses
      case "uuid": Self.ids
      default: schema["contentEncoding"] == .null ? Self.strings : Self.encoded
      }
    return random.chance(0.05) ? pick(texts) : pick(Array(texts.prefix(2)))
  }

  /// Mostly one within the bounds, else an object of many numbers would never be accepted.
  private mutating func number(among texts: [String], within schema: JSONValue) -> String {
    let fitting = texts.filter { text in
      guard schema["type"] == "integer" else {
        return Self.double(text) >= low(schema) && Self.double(text) <= high(schema)
      }
      guard let integer = Int128(text) ?? Int128(exactly: Self.double(text)) else { return false }
      return integer >= Int128(low(schema)) && integer <= Int128(high(schema)) - (schema["maximum"] == .null ? 1 : 0)
    }
    return fitting.isEmpty || random.chance(0.02) ? pick(texts) : pick(fitting)
  }

  private static func double(_ text: String) -> Double { Double(text) ?? 0 }

  private func low(_ schema: JSONValue) -> Double {
    if case .number(let bound) = schema["minimum"] { bound } else { -.greatestFiniteMagnitude }
  }

  private func high(_ schema: JSONValue) -> Double {
    if case .number(let bound) = schema["maximum"] { return bound }
    if case .number(let bound) = schema["exclusiveMaximum"] { return bound }
    return .greatestFiniteMagnitude
  }

  private mutating func object(_ schema: JSONValue, depth: Int) -> String {
    var members: [String] = []
    if case .object(let properties) = schema["properties"] {
      var required: Set<String> = []
      if case .array(let names) = schema["required"] {
        required = Set(names.compactMap { if case .string(let name) = $0 { name } else { nil } })
      }
      for (name, member) in properties.sorted(by: { $0.key < $1.key })
      where random.chance(required.contains(name) ? 0.99 : 0.5) {
        members.append("\(JSONValue.string(name).jsonText):\(value(of: member, depth: depth + 1))")
      }
      if random.chance(0.1) { members.append(#""unknown":\#(anything())"#) }
    } else if depth <= 6, schema["additionalProperties"] != .null {
      // A name that comes twice makes a text no arguments, whatever the schema says.
      var names: Set<String> = []
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let name = JSONValue.string(name(of: schema["propertyNames"])).jsonText
        guard names.insert(name).inserted else { continue }
        members.append("\(name):\(value(of: schema["additionalProperties"], depth: depth + 1))")
      }
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  /// Mostly one that the schema of names accepts.
  private mutating func name(of schema: JSONValue) -> String {
    if random.chance(0.02) { return pick(Self.names) }
    if case .array(let cases) = schema["enum"] {
      return pick(cases.compactMap { if case .string(let name) = $0 { name } else { nil } })
    }
    guard case .string(let pattern) = schema["pattern"], let expression = try? Regex(pattern) else {
      return pick(Self.names)
    }
    return pick(Self.names.filter { $0.wholeMatch(of: expression) != nil })
  }

  private mutating func anything() -> String {
    pick(["null", "[]", "{}", "[null]", #"{"a":1}"#] + Self.strings + Self.integers + Self.numbers)
  }

  /// Pointers name what can be written as it is.
  private func resolve(_ pointer: String) -> JSONValue {
    pointer.split(separator: "/").dropFirst().reduce(JSONValue.object(root)) { $0[String($1)] }
  }
}
