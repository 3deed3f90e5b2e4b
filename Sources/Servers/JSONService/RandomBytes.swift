/// Bytes that nobody can guess. Tests give ones that they know.
package struct RandomBytes: Sendable {
  /// The bytes of the system's generator.
  package static let system = RandomBytes { count in
    (0..<count).map { _ in UInt8.random(in: .min ... .max) }
  }

  package let make: @Sendable (Int) -> [UInt8]

  package init(_ make: @escaping @Sendable (_ count: Int) -> [UInt8]) { self.make = make }

  /// Random bytes as lower-case hexadecimal digits.
  package func hexadecimal(bytes count: Int) -> String { Hexadecimal.text(make(count)) }

  /// A version 4 UUID (RFC 9562 § 5.4), in lower case.
  package func uuid() -> String {
    var bytes = make(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let text = Array(Hexadecimal.text(bytes))
    return [text[..<8], text[8..<12], text[12..<16], text[16..<20], text[20...]].map { String($0) }.joined(
      separator: "-")
  }
}
