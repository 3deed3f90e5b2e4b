/// A proxy's response to CONNECT, read as its bytes come (RFC 9110 § 9.3.6, RFC 9112 § 4). Pure.
package struct ProxyAnswer {
  package enum Step: Equatable {
    /// More has to come.
    case incomplete
    /// A final answer; `rest` is what came behind its head.
    case answered(status: Int, rest: [UInt8])
    /// More bytes than an answer may have.
    case tooLong
    /// No HTTP/1.1.
    case malformed
  }

  /// Bytes of one answer's head.
  package static let limit = 16 << 10

  /// The head that has not ended, and whether its last byte but for carriage returns ended a line.
  private var head: [UInt8] = []
  private var isAfterLine = false

  package init() {}

  /// Reads further bytes; after a step that is not `incomplete` there is nothing more to read.
  package mutating func read(_ bytes: some Collection<UInt8>) -> Step {
    var bytes = bytes[...]
    while let byte = bytes.popFirst() {
      head.append(byte)
      switch byte {
      case UInt8(ascii: "\n") where isAfterLine:
        guard let status = Self.status(head.prefix { $0 != UInt8(ascii: "\n") }) else { return .malformed }
        guard (100..<200).contains(status) else { return .answered(status: status, rest: Array(bytes)) }
        // An interim answer: another one follows.
        head = []
        isAfterLine = false
        continue
      case UInt8(ascii: "\n"): isAfterLine = true
      case UInt8(ascii: "\r"): break
      default: isAfterLine = false
      }
      guard head.count <= Self.limit else { return .tooLong }
    }
    return .incomplete
  }

  /// The code of a status line.
  private static func status(_ line: some Collection<UInt8>) -> Int? {
    let text = String(decoding: line, as: UTF8.self)
    let words = text.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1.") else { return nil }
    let digits = words[1].hasSuffix("\r") ? words[1].dropLast() : words[1]
    guard digits.utf8.count == 3, let status = Int(digits), (100...999).contains(status) else { return nil }
    return status
  }
}
