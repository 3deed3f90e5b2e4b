import EventStream

/// A way to cut a stream: no cut may change what it says.
enum Chunking {
  /// The offsets to cut at, for each way: whole, halved at every offset, byte by byte, in threes.
  static func all(_ count: Int) -> [[Int]] {
    [[], Array(0...count), Array(stride(from: 3, to: count, by: 3))] + (0...count).map { [$0] }
  }

  /// A parser's output for `bytes` cut at `cuts`.
  static func items(
    _ bytes: [UInt8], cutAt cuts: [Int], parser: inout EventStreamParser
  ) throws -> [EventStreamItem] {
    var items: [EventStreamItem] = []
    var start = 0
    for end in cuts + [bytes.count] {
      try parser.parse(Array(bytes[start..<end]).span) { items.append($0) }
      start = end
    }
    return items
  }
}
