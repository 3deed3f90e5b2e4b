package import HTTPTypes

/// The field that ties a client's log lines to a server's.
package enum RequestID {
  package static let name = makeName()

  /// 16 random hexadecimal digits: enough to find a request in two logs.
  package static func make(_ random: TransportRandom = .system) -> String {
    let digits = String(random.next(), radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// The client's id where it is fit to be logged, else a new one.
  package static func of(_ request: HTTPRequest) -> String {
    guard let id = request.headerFields[name], isFit(id) else { return make() }
    return id
  }

  /// A peer chooses the value: what goes into a log must be short and unable to imitate another line of it. Ids of the
  /// worker API have 160 characters at most.
  private static func isFit(_ id: String) -> Bool {
    (1...160).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  private static func makeName() -> HTTPField.Name {
    guard let name = HTTPField.Name("x-request-id") else {
      preconditionFailure("x-request-id is a field name (RFC 9110 § 5.1).")
    }
    return name
  }
}
