extension JSONValue: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode(JSONObject.self))
    }
  }

  /// A number that JSON cannot express (NaN, infinity) is encoded as null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let value): try container.encode(value)
    case .bool(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .null: try container.encodeNil()
    case .number(let value):
      if !value.isFinite {
        try container.encodeNil()
      } else if let integer = value.spelledAsInteger {
        // Few encoders know integers of 128 bits, and of those here only 2^64 needs them.
        if let narrow = Int64(exactly: integer) {
          try container.encode(narrow)
        } else if let narrow = UInt64(exactly: integer) {
          try container.encode(narrow)
        } else {
          try container.encode(integer)
        }
      } else {
        try container.encode(value)
      }
    }
  }
}
