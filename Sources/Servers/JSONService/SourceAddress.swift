import Glibc

/// The source of a request, as limits count it: an IPv4 address, or the network of an IPv6 address, all of
/// whose addresses one host can use.
package struct SourceAddress: Hashable, Sendable {
  private let key: [UInt8]

  /// Texts that are no address all count as one source.
  package init(_ text: String) {
    // The zone of a link-local address is one of this host's interfaces.
    let address = String(text.prefix { $0 != "%" })
    var six = in6_addr()
    var four = in_addr()
    if inet_pton(AF_INET, address, &four) == 1 {
      key = withUnsafeBytes(of: four) { Array($0) }
    } else if inet_pton(AF_INET6, address, &six) == 1 {
      let bytes = withUnsafeBytes(of: six) { Array($0) }
      let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
      key = bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : Array(bytes.prefix(8))
    } else {
      key = []
    }
  }
}
