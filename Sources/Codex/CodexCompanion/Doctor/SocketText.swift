import Glibc

/// IP addresses as text.
enum SocketText {
  /// The bytes of an IPv4 or IPv6 address in network order; nil for anything else.
  static func bytes(_ address: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, address, &bytes) == 1 { return Array(bytes[..<4]) }
    return inet_pton(AF_INET6, address, &bytes) == 1 ? bytes : nil
  }

  /// The address as it stands in a URL.
  static func inURL(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }
}
