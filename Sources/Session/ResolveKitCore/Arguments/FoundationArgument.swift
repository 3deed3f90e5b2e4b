#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Types of Foundation whose own `Decodable` is not what a model would write.
protocol FoundationArgument: Decodable {
  static func read(_ value: ExactJSON) -> Self?
  static var schema: JSONObject { get }
  static var sample: Self { get }
}

/// An ISO 8601 string; a number is seconds since 2001, as `JSONDecoder` has it.
extension Date: FoundationArgument {
  static func read(_ value: ExactJSON) -> Date? {
    switch value {
    case .string(let text):
      // Foundation's reading leaves what follows the date unread.
      text.wholeMatch(of: /[-0-9]+T[0-9:]+([.][0-9]+)?(Z|[-+][0-9]{2}(:?[0-9]{2})?)/) == nil
        ? nil
        : (try? Date(text, strategy: .iso8601))
          ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    case .number(let number): number.double.map { Date(timeIntervalSinceReferenceDate: $0) }
    case .bool, .object, .array, .null: nil
    }
  }

  static var schema: JSONObject { ["type": "string", "format": "date-time"] }
  static var sample: Date { Date(timeIntervalSinceReferenceDate: 0) }
}

extension URL: FoundationArgument {
  static func read(_ value: ExactJSON) -> URL? {
    if case .string(let text) = value { URL(string: text) } else { nil }
  }

  static var schema: JSONObject { ["type": "string", "format": "uri"] }
  static var sample: URL { URL(filePath: "/") }
}

extension UUID: FoundationArgument {
  static func read(_ value: ExactJSON) -> UUID? {
    if case .string(let text) = value { UUID(uuidString: text) } else { nil }
  }

  static var schema: JSONObject {
    ["type": "string", "format": "uuid", "pattern": "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"]
  }
  static var sample: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}

extension Data: FoundationArgument {
  static func read(_ value: ExactJSON) -> Data? {
    if case .string(let text) = value { Data(base64Encoded: text) } else { nil }
  }

  static var schema: JSONObject {
    [
      "type": "string", "contentEncoding": "base64",
      "pattern": "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
    ]
  }
  static var sample: Data { Data() }
}

/// 38 digits, and an exponent from -127 to 127 with which Foundation reads them.
extension Decimal: FoundationArgument {
  static func read(_ value: ExactJSON) -> Decimal? {
    guard case .number(let number) = value else { return nil }
    return number.text(digits: 38, exponent: -127).flatMap { Decimal(string: $0) }
  }

  static var schema: JSONObject { ["type": "number", "minimum": -1e127, "maximum": 1e127] }
  static var sample: Decimal { 0 }
}
