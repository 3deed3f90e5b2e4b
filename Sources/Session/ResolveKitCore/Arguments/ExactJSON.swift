/// A JSON value whose numbers have all their digits.
enum ExactJSON: Hashable, Sendable, JSONTree {
  case string(String)
  case number(JSONNumber)
  case bool(Bool)
  case object([String: ExactJSON])
  case array([ExactJSON])
  case null

  static func number(written text: String) -> ExactJSON? { .number(JSONNumber(text)) }
  /// A person who reads one of two values must not have the other one run.
  static var allowsRepeatedNames: Bool { false }

  init(parsing bytes: [UInt8]) throws(JSONError) {
    self = try JSONParser<Self>.parse(bytes, maximumDepth: JSONValue.maximumDepth)
  }

  init(_ value: JSONValue) {
    switch value {
    case .string(let text): self = .string(text)
    case .number(let number): self = .number(JSONNumber(number))
    case .bool(let flag): self = .bool(flag)
    case .object(let members): self = .object(members.mapValues { ExactJSON($0) })
    case .array(let elements): self = .array(elements.map { ExactJSON($0) })
    case .null: self = .null
    }
  }

  /// The value with numbers as `Double`; `inexact` stands in for a number that is none.
  func json(inexact: (JSONNumber) -> JSONValue = { .number($0.double ?? .nan) }) -> JSONValue {
    switch self {
    case .string(let text): .string(text)
    case .number(let number):
      if number.isHeldByDouble, let double = number.double { .number(double) } else { inexact(number) }
    case .bool(let flag): .bool(flag)
    case .object(let members): .object(members.mapValues { $0.json(inexact: inexact) })
    case .array(let elements): .array(elements.map { $0.json(inexact: inexact) })
    case .null: .null
    }
  }

  /// Whether `JSONValue` can say the same.
  var isHeldByJSONValue: Bool {
    switch self {
    case .string, .bool, .null: true
    case .number(let number): number.isHeldByDouble
    case .object(let members): members.values.allSatisfy(\.isHeldByJSONValue)
    case .array(let elements): elements.allSatisfy(\.isHeldByJSONValue)
    }
  }

  /// Whether every number is one that `Double` has a neighbour for.
  var isInRange: Bool {
    switch self {
    case .string, .bool, .null: true
    case .number(let number): number.double != nil
    case .object(let members): members.values.allSatisfy(\.isInRange)
    case .array(let elements): elements.allSatisfy(\.isInRange)
    }
  }

  /// Compact text with names in byte order. What is no number is written as null.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .string(let text): writer.append(string: text)
    case .number(let number): writer.append(text: number.double == nil ? "null" : number.text)
    case .bool(let flag): writer.append(text: flag ? "true" : "false")
    case .null: writer.append(text: "null")
    case .array(let elements):
      writer.append(text: "[")
      for (index, element) in elements.enumerated() {
        if index > 0 { writer.append(text: ",") }
        element.write(to: &writer)
      }
      writer.append(text: "]")
    case .object(let members):
      writer.append(text: "{")
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for (index, member) in sorted.enumerated() {
        if index > 0 { writer.append(text: ",") }
        writer.append(string: member.key)
        writer.append(text: ":")
        member.value.write(to: &writer)
      }
      writer.append(text: "}")
    }
  }

  /// A description of the value received, for the model.
  var summary: String {
    switch self {
    case .string(let text):
      let shown = text.unicodeScalars.prefix(40)
      var writer = JSONWriter()
      writer.append(string: String(String.UnicodeScalarView(shown)))
      let isWhole = shown.endIndex == text.unicodeScalars.endIndex
      return "the string \(String(decoding: writer.bytes, as: UTF8.self))\(isWhole ? "" : "…")"
    case .number(let number): return "the number \(number.text.prefix(40))"
    case .bool(let flag): return flag ? "true" : "false"
    case .object: return "an object"
    case .array: return "an array"
    case .null: return "null"
    }
  }
}
