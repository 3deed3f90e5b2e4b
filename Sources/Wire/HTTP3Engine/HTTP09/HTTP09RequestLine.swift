/// The one line of an HTTP/0.9 request, which may come in pieces.
struct HTTP09RequestLine {
  /// Longer ones name no file.
  static let limit = 8 << 10

  enum Outcome: Equatable {
    case incomplete
    /// A path that begins with a slash, of visible ASCII characters.
    case complete(path: String)
    case malformed
  }

  private var bytes: [UInt8] = []

  /// Takes what came, the line's end or the stream's included; what follows the line is passed over.
  mutating func append(_ new: UnsafeRawBufferPointer, isLast: Bool) -> Outcome {
    let end = new.firstIndex(of: UInt8(ascii: "\n"))
    let piece = new[..<(end ?? new.endIndex)]
    guard bytes.count + piece.count <= Self.limit else { return .malformed }
    bytes += piece
    guard end != nil || isLast else { return .incomplete }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard bytes.starts(with: Array("GET /".utf8)) else { return .malformed }
    let path = bytes.dropFirst(4)
    guard Self.isPath(path) else { return .malformed }
    return .complete(path: String(decoding: path, as: UTF8.self))
  }

  /// Whether the bytes can stand in a request line (RFC 9112 § 3.2).
  static func isPath(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.first == UInt8(ascii: "/") && bytes.count <= limit - 6 && bytes.allSatisfy { (0x21...0x7e).contains($0) }
  }
}
