/// Reads the list of RFC 7838 § 3 from its bytes, left to right.
struct AltSvcReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  var isAtEnd: Bool { position >= bytes.count }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// OWS of RFC 9110 § 5.6.3.
  mutating func skipWhitespace() {
    while let byte = next, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { position += 1 }
  }

  /// Whether the rest is this word and nothing more.
  func isWord(_ word: String) -> Bool {
    var rest = self
    guard rest.token() == Array(word.utf8) else { return false }
    rest.skipWhitespace()
    return rest.isAtEnd
  }

  /// One alternative with its parameters; nil for another protocol, and for what is malformed.
  mutating func member() -> AltSvc.Offer? {
    skipWhitespace()
    // Characters of a token are never percent-encoded in a protocol's name, so bytes can be compared (§ 3).
    guard token() == Array("h3".utf8), take(UInt8(ascii: "=")), let authority = quotedString(),
      let service = Self.service(authority)
    else { return nil }
    var offer = AltSvc.Offer(service: service)
    while true {
      skipWhitespace()
      guard let separator = next, separator != UInt8(ascii: ",") else { return offer }
      guard take(UInt8(ascii: ";")) else { return nil }
      skipWhitespace()
      // A semicolon with nothing behind it is common enough.
      guard let byte = next, byte != UInt8(ascii: ","), byte != UInt8(ascii: ";") else { continue }
      guard let name = token(), take(UInt8(ascii: "=")),
        let value = next == UInt8(ascii: "\"") ? quotedString() : token()
      else { return nil }
      switch String(decoding: name, as: UTF8.self) {
      case "ma":
        guard let seconds = Self.seconds(value) else { return nil }
        offer.maximumAge = seconds
      case "persist": offer.persists = value == [UInt8(ascii: "1")]
      default: break
      }
    }
  }

  /// Moves behind the comma that ends the member; commas in quotes are the member's own.
  mutating func skipMember() {
    while let byte = next, byte != UInt8(ascii: ",") {
      // A quote that never ends ends the list.
      if byte == UInt8(ascii: "\""), quotedString() == nil {
        position = bytes.count
      } else if byte != UInt8(ascii: "\"") {
        position += 1
      }
    }
    position += 1
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// RFC 9110 § 5.6.2; nil where there is none.
  private mutating func token() -> [UInt8]? {
    let start = position
    while let byte = next, Self.isTokenCharacter(byte) { position += 1 }
    return position > start ? Array(bytes[start..<position]) : nil
  }

  /// RFC 9110 § 5.6.4, its escapes taken out; nil, and nothing read, where there is none.
  private mutating func quotedString() -> [UInt8]? {
    let start = position
    guard take(UInt8(ascii: "\"")) else { return nil }
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return text
      case UInt8(ascii: "\\"):
        guard let escaped = next else { continue }
        position += 1
        text.append(escaped)
      default: text.append(byte)
      }
    }
    position = start
    return nil
  }

  /// `[ uri-host ] ":" port`; nil for anything else.
  private static func service(_ authority: [UInt8]) -> AlternativeService? {
    guard let colon = authority.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    let digits = authority[(colon + 1)...]
    guard (1...5).contains(digits.count), let value = seconds(Array(digits)), let port = UInt16(exactly: value),
      port > 0
    else { return nil }
    var host = authority[..<colon]
    guard !host.isEmpty else { return AlternativeService(host: nil, port: port) }
    if host.first == UInt8(ascii: "[") {
      guard host.last == UInt8(ascii: "]"), host.count > 2 else { return nil }
      host = host.dropFirst().dropLast()
    } else if host.contains(UInt8(ascii: ":")) {
      return nil
    }
    guard AlternativeService.isHost(host) else { return nil }
    return AlternativeService(host: String(decoding: host, as: UTF8.self).lowercased(), port: port)
  }

  /// delta-seconds of RFC 9111 § 1.2.2: what is too large stands for a very long time.
  private static func seconds(_ digits: [UInt8]) -> Int? {
    guard !digits.isEmpty else { return nil }
    var value = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      value = min(value * 10 + Int(digit - UInt8(ascii: "0")), 1 << 31)
    }
    return value
  }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
