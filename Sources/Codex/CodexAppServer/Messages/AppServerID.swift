package import ResolveKitCore

/// The id of a request. It goes back as it came: to codex `"0"` and `0` are two ids.
package enum AppServerID: Hashable, Sendable, CustomStringConvertible {
  case string(String)
  case integer(Int)

  /// Beyond it, neighbours cannot be distinguished in a `JSONValue`.
  private static let largestInteger = 1 << 53 - 1

  /// nil for what cannot be an id, and for a number that could not be sent back as it came.
  package init?(_ json: JSONValue) {
    if let text = json.stringValue {
      self = .string(text)
    } else if let number = json.integerValue, number.magnitude <= Self.largestInteger {
      self = .integer(number)
    } else {
      return nil
    }
  }

  package var json: JSONValue {
    switch self {
    case .string(let text): .string(text)
    case .integer(let number): .number(Double(number))
    }
  }

  package var description: String {
    switch self {
    case .string(let text): JSONValue.string(text).jsonText
    case .integer(let number): "\(number)"
    }
  }
}
