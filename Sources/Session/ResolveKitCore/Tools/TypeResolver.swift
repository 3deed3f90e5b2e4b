/// Reads what models write where a type was asked for. nil means the value has no such reading; nothing traps.
public enum TypeResolver {
  /// A string; a number without a needless fraction (`3.0` is "3"); a boolean.
  public static func coerceString(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
    case .object, .array, .null: nil
    }
  }

  /// A boolean; a number (nonzero is true); "true", "1", "yes", "false", "0", "no" in any case.
  public static func coerceBool(_ value: JSONValue) -> Bool? {
    switch value {
    case .bool(let flag): return flag
    case .number(let number): return number.isNaN ? nil : number != 0
    case .string(let text):
      switch text.lowercased() {
      case "true", "1", "yes": return true
      case "false", "0", "no": return false
      default: return nil
      }
    case .object, .array, .null: return nil
    }
  }

  /// A number truncated toward zero, an integer in a string, a boolean as 1 or 0; nil beyond `Int`.
  public static func coerceInt(_ value: JSONValue) -> Int? {
    coerceInteger(value, as: Int.self)
  }

  /// The same reading for any width; nil where the number does not fit.
  public static func coerceInteger<Integer: FixedWidthInteger>(
    _ value: JSONValue, as type: Integer.Type = Integer.self
  ) -> Integer? {
    switch value {
    case .number(let number): Integer(exactly: number.rounded(.towardZero))
    case .string(let text): Integer(text)
    case .bool(let flag): flag ? 1 : 0
    case .object, .array, .null: nil
    }
  }

  /// A number, a finite number in a string, a boolean as 1 or 0.
  public static func coerceDouble(_ value: JSONValue) -> Double? {
    switch value {
    case .number(let number): number
    case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    case .bool(let flag): flag ? 1 : 0
    case .object, .array, .null: nil
    }
  }
}
