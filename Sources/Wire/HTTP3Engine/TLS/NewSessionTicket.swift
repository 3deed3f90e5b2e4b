/// TLS's NewSessionTicket message (RFC 8446 § 4.6.1): the fields that GnuTLS does not expose.
enum NewSessionTicket {
  private static let earlyDataExtension = 42

  /// Whether the server takes early data with the ticket; the extension has one value in QUIC (RFC 9001 § 4.6.1).
  static func allowsEarlyData(_ message: UnsafeRawBufferPointer) -> Bool {
    var rest = message[...]
    func number(_ size: Int) -> Int? {
      guard rest.count >= size else { return nil }
      defer { rest = rest.dropFirst(size) }
      return rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
    }
    func skip(_ count: Int?) -> Bool {
      guard let count, count <= rest.count else { return false }
      rest = rest.dropFirst(count)
      return true
    }
    // Lifetime and age, nonce, ticket, and the length of the extensions.
    guard skip(8), skip(number(1)), skip(number(2)), number(2) != nil else { return false }
    while let type = number(2), let length = number(2) {
      if type == earlyDataExtension { return length == 4 && number(4) == 0xffff_ffff }
      guard skip(length) else { return false }
    }
    return false
  }
}
