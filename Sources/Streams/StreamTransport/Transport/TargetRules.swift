package import HTTPTypes

/// Judges what a request is for, before a server serves it (RFC 9110 §§ 7.1, 7.4; RFC 9114 § 4.3.1).
package struct TargetRules: Sendable {
  /// The form of the request's target.
  package enum Form: Sendable {
    /// By pseudo-fields.
    case fields
    /// By a request line and the `host` field, which is the authority and no field any more (RFC 9112 § 3.2).
    case line
  }

  private let authorities: Set<String>

  /// - Parameter authorities: what the server answers for, each a host, which covers all of its ports, or a host and a
  ///   port; none for everything.
  package init(authorities: [String]) {
    self.authorities = Set(authorities.map { $0.lowercased() })
  }

  /// The status that refuses the request: 400 where the target makes no sense, 421 where it is another server's; nil where
  /// it is to be served.
  package func refusal(of request: HTTPRequest, _ form: Form = .fields) -> HTTPResponse.Status? {
    guard request.method != .connect else { return nil }
    let named =
      switch form {
      case .fields: Self.fieldsAuthority(of: request)
      case .line: Self.lineAuthority(of: request)
      }
    guard let authority = named?.lowercased(), !authority.isEmpty, !authority.contains("@") else { return .badRequest }
    guard !authorities.isEmpty else { return nil }
    return authorities.contains(authority) || authorities.contains(Self.host(of: authority)) ? nil : .misdirectedRequest
  }

  /// The authority of pseudo-fields; nil where the target makes no sense (RFC 9114 § 4.3.1).
  private static func fieldsAuthority(of request: HTTPRequest) -> String? {
    let hosts = hosts(of: request)
    guard request.scheme?.lowercased() == "https", isOriginForm(request), hosts.count <= 1,
      let authority = request.authority ?? hosts.first
    else { return nil }
    return hosts.allSatisfy { $0.lowercased() == authority.lowercased() } ? authority : nil
  }

  /// The authority of a request line; nil where the target makes no sense. The absolute form stands above the `host` field
  /// (RFC 9112 § 3.2.2), which has to be there once all the same (§ 3.2).
  private static func lineAuthority(of request: HTTPRequest) -> String? {
    guard hosts(of: request).isEmpty, let host = request.authority else { return nil }
    if isOriginForm(request) { return host }
    let scheme = "https://"
    guard let path = request.path, path.prefix(scheme.count).lowercased() == scheme else { return nil }
    return String(path.dropFirst(scheme.count).prefix { !"/?".contains($0) })
  }

  private static func isOriginForm(_ request: HTTPRequest) -> Bool {
    request.path?.first == "/" || (request.path == "*" && request.method == .options)
  }

  private static func hosts(of request: HTTPRequest) -> [String] {
    request.headerFields.filter { $0.name.canonicalName == "host" }.map(\.value)
  }

  /// The authority without its port.
  private static func host(of authority: String) -> String {
    guard let colon = authority.lastIndex(of: ":"),
      authority[authority.index(after: colon)...].utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return authority }
    return String(authority[..<colon])
  }
}
