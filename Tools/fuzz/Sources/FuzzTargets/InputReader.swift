/// Takes an input apart; at its end everything is 0 and empty.
struct InputReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }
  mutating func number(below limit: Int) -> Int { limit > 0 ? (Int(byte()) << 8 | Int(byte())) % limit : 0 }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}
