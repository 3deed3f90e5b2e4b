/// Collects the one line that each side of a control connection sends.
struct ControlLine {
  private static let end = UInt8(ascii: "\n")

  private let limit: Int
  private var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// Takes what has arrived; answers the line once it is whole, without its end.
  ///
  /// Throws ``ControlError`` with `tooLong`, and with `invalid` for bytes behind the line.
  mutating func take(_ part: some Collection<UInt8>) throws(ControlError) -> [UInt8]? {
    let piece = part.prefix { $0 != Self.end }
    guard piece.count <= limit - bytes.count else {
      throw ControlError(.tooLong, "A line on the control socket has more than \(limit) bytes.")
    }
    bytes += piece
    let rest = part.dropFirst(piece.count)
    guard !rest.isEmpty else { return nil }
    guard rest.count == 1 else {
      throw ControlError(.invalid, "Each connection to the control socket takes one line; make another for the next.")
    }
    return bytes
  }
}
