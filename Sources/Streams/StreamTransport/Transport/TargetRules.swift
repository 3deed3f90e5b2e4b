package import HTTPTypes

/// Judges what a request is for, before a server serves it (RFC 9110 §§ 7.1, 7.4; RFC 9114 § 4.3.1).
package struct TargetRules: Sendable {
  /// How the request named its target.
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
    if form == .fields, request.scheme?.lowercased() != "https" { return .badRequest }
    guard let path = request.path, path.first == "/" || (path == "*" && request.method == .options),
      let authority = authority(of: request, form)
    else { return .badRequest }
    guard !authorities.isEmpty else { return nil }
    return authorities.contains(authority) || authorities.contains(Self.host(of: authority)) ? nil : .misdirectedRequest
  }

  /// In lower case; nil where there is none, or more than one.
  private func authority(of request: HTTPRequest, _ form: Form) -> String? {
    let hosts = request.headerFields.lazy.filter { $0.name.canonicalName == "host" }.map { $0.value.lowercased() }
    guard let authority = request.authority?.lowercased() ?? hosts.first, !authority.isEmpty,
      !authority.contains("@")
    else { return nil }
    switch form {
    case .fields: return hosts.count <= 1 && hosts.allSatisfy { $0 == authority } ? authority : nil
    case .line: return hosts.isEmpty ? authority : nil
    }
  }

  /// The authority without its port.
  private static func host(of authority: String) -> String {
    guard let colon = authority.lastIndex(of: ":"),
      authority[authority.index(after: colon)...].utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return authority }
    return String(authority[..<colon])
  }
}
