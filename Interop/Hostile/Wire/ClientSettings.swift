import HTTP3Engine

/// The client's settings for the server's field compression (RFC 9204 § 5).
struct ClientSettings: Equatable {
  var tableCapacity: UInt64 = 0
  var blockedStreams: UInt64 = 0

  /// Nil while the SETTINGS frame is not whole.
  init?(controlStream bytes: [UInt8]) {
    var scanner = HTTP3FrameScanner(isUnidirectional: true)
    var contents: [UInt64]?
    bytes.withUnsafeBytes { buffer in
      scanner.scan(buffer) { found in
        if contents == nil, case .frame(type: 4, length: _, contents: let numbers) = found { contents = numbers }
      }
    }
    guard let contents else { return nil }
    for index in stride(from: 0, to: contents.count - 1, by: 2) {
      switch contents[index] {
      case 1: tableCapacity = contents[index + 1]
      case 7: blockedStreams = contents[index + 1]
      default: break
      }
    }
  }
}
