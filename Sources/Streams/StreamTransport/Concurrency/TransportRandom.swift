/// A transport's source of random numbers; tests give a seeded one.
package struct TransportRandom: RandomNumberGenerator, Sendable {
  private let source: @Sendable () -> UInt64

  /// - Parameter source: 64 random bits with each call.
  package init(_ source: @escaping @Sendable () -> UInt64) {
    self.source = source
  }

  package func next() -> UInt64 { source() }

  /// A random UUID (RFC 9562 § 5.4) in lower case.
  package func uuid() -> String {
    let high = source() & ~0xF000 | 0x4000
    let low = source() & ~(3 << 62) | 1 << 63
    let digits = Self.digits(high) + Self.digits(low)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: digits[$0], as: UTF8.self) }
      .joined(separator: "-")
  }

  /// 16 hexadecimal digits.
  private static func digits(_ number: UInt64) -> [UInt8] {
    let digits = Array(String(number, radix: 16).utf8)
    return [UInt8](repeating: UInt8(ascii: "0"), count: 16 - digits.count) + digits
  }

  /// The system's cryptographically secure source.
  package static let system = {
    let reserve = RandomReserve()
    return TransportRandom { reserve.next() }
  }()
}
