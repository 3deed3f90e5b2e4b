/// A place where an origin is served as well (RFC 7838 § 2): HTTP/3 over UDP at this host and port.
package struct AlternativeService: Hashable, Sendable {
  /// A name or an IP address without brackets; nil for the origin's own host.
  package var host: String?
  package var port: UInt16

  package init(host: String?, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// The authority in the form of `alt-used` (RFC 7838 § 5).
  ///
  /// - Parameter origin: the origin's own host, without brackets.
  package func authority(for origin: String) -> String {
    let name = host ?? origin
    return name.utf8.contains(UInt8(ascii: ":")) ? "[\(name)]:\(port)" : "\(name):\(port)"
  }

  /// Whether the text may be a host: DNS names and IP addresses need no other characters.
  static func isHost(_ text: some Sequence<UInt8>) -> Bool {
    var count = 0
    for byte in text {
      count += 1
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: ":"):
        break
      default: return false
      }
      // So that no option and no sign for "none" passes for a name.
      if count == 1, byte == UInt8(ascii: "-") { return false }
    }
    return (1...255).contains(count)
  }
}
