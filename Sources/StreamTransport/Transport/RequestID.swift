package import HTTPTypes

/// The field that ties a client's log lines to a server's.
package enum RequestID {
  package static let name = makeName()

  /// 16 random hexadecimal digits: enough to find a request in two logs.
  package static func make() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  private static func makeName() -> HTTPField.Name {
    guard let name = HTTPField.Name("x-request-id") else {
      preconditionFailure("x-request-id is a field name (RFC 9110 § 5.1).")
    }
    return name
  }
}
