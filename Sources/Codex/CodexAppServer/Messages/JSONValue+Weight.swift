package import ResolveKitCore

extension JSONValue {
  /// The bytes of memory that it takes, about; for the limits of what waits.
  package var weight: Int {
    switch self {
    case .string(let text): 32 + text.utf8.count
    case .array(let elements): elements.reduce(32) { $0 + $1.weight }
    case .object(let members): members.reduce(32) { $0 + 32 + $1.key.utf8.count + $1.value.weight }
    case .number, .bool, .null: 32
    }
  }
}
