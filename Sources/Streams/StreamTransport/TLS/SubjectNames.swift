import Glibc
import SwiftASN1
import X509

/// The hosts that a certificate is for, each as the kind of name that it is (RFC 5280 § 4.2.1.6).
struct SubjectNames {
  let first: String
  let generalNames: [GeneralName]

  /// Throws ``DevelopmentCertificateError`` with `invalidHost` for an empty list or what cannot be a host.
  init(_ hosts: [String]) throws(DevelopmentCertificateError) {
    guard let first = hosts.first else {
      throw DevelopmentCertificateError(.invalidHost, "A certificate needs at least one host.")
    }
    self.first = first
    var names: [GeneralName] = []
    for host in hosts {
      if let address = Self.addressBytes(host) {
        names.append(.ipAddress(ASN1OctetString(contentBytes: address[...])))
      } else {
        guard Self.isName(host) else {
          throw DevelopmentCertificateError(
            .invalidHost, "'\(host)' is neither a DNS name nor an IP address; write addresses without brackets.")
        }
        names.append(.dnsName(host))
      }
    }
    generalNames = names
  }

  /// The bytes of an IPv4 or IPv6 address in network order, nil for anything else.
  static func addressBytes(_ host: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, host, &bytes) == 1 { return Array(bytes[..<4]) }
    return inet_pton(AF_INET6, host, &bytes) == 1 ? bytes : nil
  }

  private static func isName(_ host: String) -> Bool {
    !host.isEmpty && host.utf8.count <= 253
      && host.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "*"),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
