/// A digest of a certificate as people compare it.
enum Fingerprint {
  /// The bytes as `AA:BB:…`.
  static func text(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined(separator: ":")
  }
}
