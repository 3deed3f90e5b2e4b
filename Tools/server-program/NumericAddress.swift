package import ArgumentParser
import Glibc

/// An IP address to listen on.
package enum NumericAddress {
  /// Throws a usage error for what is no IPv4 or IPv6 address.
  package static func check(_ text: String) throws(ValidationError) {
    var storage = in6_addr()
    guard inet_pton(AF_INET, text, &storage) == 1 || inet_pton(AF_INET6, text, &storage) == 1 else {
      throw ValidationError("'\(text)' is no IP address; give one of this machine's, such as 127.0.0.1 or 0.0.0.0.")
    }
  }
}
