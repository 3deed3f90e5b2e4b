import TestSupport

extension Wire {
  /// HEADERS without the dynamic table: `GET https://localhost/bytes/5`, or of another path, and what follows.
  static func get(_ path: String = "/bytes/5", then lines: [UInt8] = []) -> [UInt8] {
    http(
      1,
      [0, 0, 0xd1, 0xd7] + [0x50, 9] + Array("localhost".utf8) + [0x51, UInt8(path.utf8.count)] + path.utf8 + lines)
  }
}
