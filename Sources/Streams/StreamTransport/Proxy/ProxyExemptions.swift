import HTTP3Engine

/// The hosts of a `NO_PROXY` variable, which no proxy stands before.
struct ProxyExemptions: Hashable, Sendable {
  private enum Entry: Hashable, Sendable {
    case all
    /// The name and everything below it.
    case name(String, port: Int?)
    case address(NetworkAddress.IP, port: Int?)
    /// Addresses that begin with so many of the same bits.
    case range(NetworkAddress.IP, bits: Int)
  }

  private let entries: [Entry]

  /// - Parameter list: entries between commas or blanks; one that cannot be read exempts nothing.
  init(_ list: String) {
    entries = list.split(whereSeparator: { $0 == "," || $0.isWhitespace }).compactMap { Self.entry($0.lowercased()) }
  }

  func cover(_ origin: Origin) -> Bool {
    let name = Self.withoutDots(origin.host.lowercased())
    let address = NetworkAddress(literal: origin.host, port: 0)?.ip
    return entries.contains { entry in
      switch entry {
      case .all: true
      case .name(let suffix, let port):
        (port ?? origin.port) == origin.port && address == nil && (name == suffix || name.hasSuffix(".\(suffix)"))
      case .address(let exempt, let port): (port ?? origin.port) == origin.port && address == exempt
      case .range(let first, let bits): address.map { Self.share(bits, first, $0) } ?? false
      }
    }
  }

  private static func entry(_ text: String) -> Entry? {
    if text == "*" { return .all }
    if let slash = text.firstIndex(of: "/") {
      guard let first = NetworkAddress(literal: host(text[..<slash]), port: 0)?.ip,
        let bits = Int(text[text.index(after: slash)...]), bits >= 0
      else { return nil }
      return .range(first, bits: bits)
    }
    if let address = NetworkAddress(literal: host(text[...]), port: 0)?.ip { return .address(address, port: nil) }
    var rest = text[...]
    var port: Int?
    if let colon = text.lastIndex(of: ":") {
      guard let number = UInt16(text[text.index(after: colon)...]) else { return nil }
      port = Int(number)
      rest = text[..<colon]
    }
    if let address = NetworkAddress(literal: host(rest), port: 0)?.ip { return .address(address, port: port) }
    let name = withoutDots(rest.hasPrefix("*.") ? String(rest.dropFirst()) : String(rest))
    return name.isEmpty ? nil : .name(name, port: port)
  }

  /// Without the brackets of an IPv6 address.
  private static func host(_ text: Substring) -> String {
    text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : String(text)
  }

  private static func withoutDots(_ name: String) -> String {
    var name = name[...]
    while name.hasPrefix(".") { name = name.dropFirst() }
    while name.hasSuffix(".") { name = name.dropLast() }
    return String(name)
  }

  private static func share(_ bits: Int, _ left: NetworkAddress.IP, _ right: NetworkAddress.IP) -> Bool {
    switch (left, right) {
    // A shift by the whole width gives zero, which is what no bits in common ask for.
    case (.v4(let left), .v4(let right)): bits <= 32 && (left ^ right) >> UInt32(32 - bits) == 0
    case (.v6(let high, let low, _), .v6(let otherHigh, let otherLow, _)):
      bits <= 128 && (high ^ otherHigh) >> UInt64(64 - min(bits, 64)) == 0
        && (low ^ otherLow) >> UInt64(64 - max(bits - 64, 0)) == 0
    case (.v4, .v6), (.v6, .v4): false
    }
  }
}
