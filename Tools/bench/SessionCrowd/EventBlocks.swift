import Glibc

/// Cuts what a backend's event stream brings into its events. Made for a crowd: it reads an event's id and leaves the rest
/// as bytes.
struct EventBlocks {
  /// A fault in a stream.
  struct Unexpected: Error, CustomStringConvertible {
    let description: String
  }

  private var pending: [UInt8] = []

  /// Takes a piece of the stream, and gives each event that is complete: its id and its bytes.
  mutating func take(_ chunk: [UInt8], _ body: (Int64, UnsafeRawBufferPointer) throws -> Void) throws {
    pending += chunk
    let end = try pending.withUnsafeBytes { bytes in
      var start = 0
      while let end = Self.find("\n\n", in: UnsafeRawBufferPointer(rebasing: bytes[start...])) {
        let block = UnsafeRawBufferPointer(rebasing: bytes[start..<start + end])
        // Comments begin with a colon.
        if block.first != UInt8(ascii: ":") { try body(try Self.id(block), block) }
        start += end + 2
      }
      return start
    }
    pending.removeFirst(end)
  }

  /// The offset of some ASCII text.
  static func find(_ text: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
    let count = text.utf8CodeUnitCount
    guard let base = bytes.baseAddress else { return nil }
    var start = 0
    while start + count <= bytes.count,
      let found = memchr(base + start, Int32(text.utf8Start.pointee), bytes.count - count + 1 - start)
    {
      if memcmp(found, text.utf8Start, count) == 0 { return UnsafeRawPointer(found) - base }
      start = UnsafeRawPointer(found) - base + 1
    }
    return nil
  }

  /// The value of a member of the event's data that is a string, up to its end or `limit` bytes.
  static func string(after text: StaticString, in block: UnsafeRawBufferPointer, limit: Int = 64) -> String? {
    guard let start = find(text, in: block) else { return nil }
    let rest = block[(start + text.utf8CodeUnitCount)...].prefix(limit)
    return rest.firstIndex(of: UInt8(ascii: "\"")).map { String(decoding: rest[..<$0], as: UTF8.self) }
  }

  private static func id(_ block: UnsafeRawBufferPointer) throws -> Int64 {
    let line = block.prefix { $0 != 0x0A }
    guard line.starts(with: "id: ".utf8), let id = Int64(String(decoding: line.dropFirst(4), as: UTF8.self)) else {
      throw Unexpected(description: "a block without an id: \(String(decoding: line.prefix(100), as: UTF8.self))")
    }
    return id
  }
}
